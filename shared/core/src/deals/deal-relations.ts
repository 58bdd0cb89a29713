import type { Handlers } from "../execute/handlers.ts";
import { deals } from "./deals.ts";

/** The operation that restores an archived deal (docs/decisions.md#restore). */
export const dealRelationHandlers = {
	restoreDeal: deals.handlers.restore,
} satisfies Partial<Handlers>;
