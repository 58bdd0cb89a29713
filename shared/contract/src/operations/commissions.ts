import {
	Commission,
	CommissionCreate,
	CommissionUpdate,
	commissionFilters,
} from "../resources/pricing/commission.ts";
import { crud } from "../table/crud.ts";

/** Commission rules. The commission of a deal is in deal-parts.ts. */
export const commissionOperations = crud({
	noun: "Commission",
	plural: "Commissions",
	removal: "delete",
	path: "/v1/commissions",
	item: Commission,
	create: CommissionCreate,
	update: CommissionUpdate,
	filters: commissionFilters,
	emits: { create: [], update: [], remove: [] },
});
