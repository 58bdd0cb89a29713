import type { SomeHandlers } from "../execute/handlers.ts";
import { deals } from "./deals.ts";

/** Restoring a deal, and its commission, which no operation sets yet. */
export const dealRelationHandlers: SomeHandlers<
	"restoreDeal" | "getDealCommission"
> = {
	restoreDeal: deals.handlers.restore,

	getDealCommission: async ({ params }, context) => {
		await deals.read(params.uuid, context);
		return { calculation: null };
	},
};
