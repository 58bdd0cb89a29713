import type { Handlers } from "../execute/handlers.ts";
import { deals } from "./deals.ts";

export const dealRelationHandlers = {
	restoreDeal: deals.handlers.restore,
} satisfies Partial<Handlers>;
