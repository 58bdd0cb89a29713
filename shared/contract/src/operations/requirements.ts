import { z } from "zod";
import { Requirements } from "../resources/requirements.ts";
import { defineRead } from "../table/operation.ts";
import { Uuid } from "../table/uuid.ts";

const params = z.object({ partnershipId: Uuid });

/** The contract has the singular `partner` in this path. */
export const requirementsOperations = {
	getLeadRequirements: defineRead({
		group: "Partners",
		path: "/v1/partner/{partnershipId}/leads/requirements",
		summary: "Get what a lead of a partner must say",
		params,
		response: Requirements,
	}),
	getDealRequirements: defineRead({
		group: "Partners",
		path: "/v1/partner/{partnershipId}/deals/requirements",
		summary: "Get what a deal of a partner must say",
		params,
		response: Requirements,
	}),
};
