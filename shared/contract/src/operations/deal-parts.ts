import { z } from "zod";
import {
	DealPartner,
	DealPartnerAdd,
	PartnerRole,
	PartnerRoleCreate,
	PartnerRoleUpdate,
} from "../resources/deal-partner.ts";
import { Payment, PaymentCreate, PaymentUpdate } from "../resources/payment.ts";
import { DealCommission } from "../resources/pricing/commission.ts";
import {
	RecordProduct,
	RecordProductCreate,
	RecordProductUpdate,
} from "../resources/product.ts";
import { sortQuery } from "../resources/sort.ts";
import { crud, nestedCrud } from "../table/crud.ts";
import { defineRead, defineWrite } from "../table/operation.ts";
import { RecordParams, SubRecordParams, Success } from "../table/params.ts";

const parent = "/v1/deals/{uuid}";
const group = "Deals";
const emits = ["deal_updated"] as const;
const coSelling = {
	group,
	module: "co_selling",
	path: `${parent}/partners`,
	params: RecordParams,
} as const;

/** The parts of deals: all but their notes, tags, users and stages. */
export const dealPartOperations = {
	...nestedCrud({
		noun: "DealPayment",
		plural: "DealPayments",
		parent,
		segment: "payments",
		group,
		item: Payment,
		create: PaymentCreate,
		update: PaymentUpdate,
		emits: { create: emits, update: emits, remove: emits },
	}),
	...nestedCrud({
		noun: "DealProduct",
		plural: "DealProducts",
		parent,
		segment: "products",
		group,
		item: RecordProduct,
		create: RecordProductCreate,
		update: RecordProductUpdate,
		emits: { create: emits, update: emits, remove: emits },
	}),
	getDealCommission: defineRead({
		group,
		path: `${parent}/commission`,
		params: RecordParams,
		summary: "Get the commission calculation of a deal",
		response: DealCommission,
	}),
	setDealCommission: defineWrite({
		group,
		emits,
		method: "PUT",
		path: `${parent}/commission`,
		params: RecordParams,
		summary: "Set the commission calculation of a deal, or take it away",
		body: DealCommission,
		response: DealCommission,
	}),
	listDealPartners: defineRead({
		...coSelling,
		summary: "List the supporting partners of a deal",
		response: z.array(DealPartner),
	}),
	addDealPartner: defineWrite({
		...coSelling,
		method: "POST",
		summary: "Add a supporting partner to a deal, and its contacts to the lead",
		body: DealPartnerAdd,
		response: DealPartner,
		status: 201,
		emits: ["deal_updated", "lead_updated"],
	}),
	removeDealPartner: defineWrite({
		...coSelling,
		method: "DELETE",
		path: `${coSelling.path}/{subUuid}`,
		params: SubRecordParams,
		summary: "Remove a supporting partner from a deal",
		response: Success,
		emits: ["deal_updated", "lead_updated"],
	}),
};

/** The roles that supporting partners may have on deals. */
export const partnerRoleOperations = crud({
	noun: "PartnerRole",
	plural: "PartnerRoles",
	group,
	removal: "delete",
	path: "/v1/deals/partner-roles",
	item: PartnerRole,
	create: PartnerRoleCreate,
	update: PartnerRoleUpdate,
	filters: { sort: sortQuery("label", "-label") },
});
