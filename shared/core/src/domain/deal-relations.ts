import type { SomeHandlers } from "../execute/handlers.ts";
import { deals } from "./deals.ts";

export const dealRelationHandlers: SomeHandlers<"restoreDeal"> = {
	restoreDeal: deals.handlers.restore,
};
