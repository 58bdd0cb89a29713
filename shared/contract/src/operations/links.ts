import { links } from "../table/links.ts";
import { stages, tags, users } from "./link-specs.ts";

const onPartners = {
	parent: "/v1/partners/{uuid}",
	group: "Partners",
	emits: ["partner_updated"],
} as const;
const onLeads = {
	parent: "/v1/leads/{uuid}",
	group: "Leads",
	emits: ["lead_updated"],
} as const;
const onDeals = {
	parent: "/v1/deals/{uuid}",
	group: "Deals",
	emits: ["deal_updated"],
} as const;

/**
 * The tags, assigned users and stages of partners, leads and deals. A record has at most one stage: adding one replaces
 * the one before (docs/decisions.md#stages-of-a-record).
 */
export const linkOperations = {
	...links({
		...onPartners,
		...tags,
		noun: "PartnerTag",
		plural: "PartnerTags",
	}),
	...links({
		...onPartners,
		...users,
		noun: "PartnerUser",
		plural: "PartnerUsers",
	}),
	...links({
		...onPartners,
		...stages,
		noun: "StageOfPartner",
		plural: "StagesOfPartner",
	}),
	...links({ ...onLeads, ...tags, noun: "LeadTag", plural: "LeadTags" }),
	...links({ ...onLeads, ...users, noun: "LeadUser", plural: "LeadUsers" }),
	...links({ ...onDeals, ...tags, noun: "DealTag", plural: "DealTags" }),
	...links({ ...onDeals, ...users, noun: "DealUser", plural: "DealUsers" }),
	...links({
		...onDeals,
		...stages,
		noun: "StageOfDeal",
		plural: "StagesOfDeal",
	}),
};
