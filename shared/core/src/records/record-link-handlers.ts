import { deals } from "../deals/deals.ts";
import type { Handlers } from "../execute/handlers.ts";
import { leads } from "../leads/leads.ts";
import { partners } from "../partners/partners.ts";
import { createLinks, createStageLinks } from "../resource/create-links.ts";
import { assignedUsers, tagsOf } from "../resource/link-kinds.ts";

const partnerTags = createLinks(partners, tagsOf("partner"));
const partnerUsers = createLinks(partners, assignedUsers);
const stagesOfPartner = createStageLinks(partners, "partner");
const leadTags = createLinks(leads, tagsOf("lead"));
const leadUsers = createLinks(leads, assignedUsers);
const dealTags = createLinks(deals, tagsOf("deal"));
const dealUsers = createLinks(deals, assignedUsers);
const stagesOfDeal = createStageLinks(deals, "deal");

/** The operations on tags, assigned users and stages of partners, leads and deals. */
export const recordLinkHandlers = {
	listPartnerTags: partnerTags.list,
	addPartnerTag: partnerTags.add,
	removePartnerTag: partnerTags.remove,
	listPartnerUsers: partnerUsers.list,
	addPartnerUser: partnerUsers.add,
	removePartnerUser: partnerUsers.remove,
	listStagesOfPartner: stagesOfPartner.list,
	addStageOfPartner: stagesOfPartner.add,
	removeStageOfPartner: stagesOfPartner.remove,
	listLeadTags: leadTags.list,
	addLeadTag: leadTags.add,
	removeLeadTag: leadTags.remove,
	listLeadUsers: leadUsers.list,
	addLeadUser: leadUsers.add,
	removeLeadUser: leadUsers.remove,
	listDealTags: dealTags.list,
	addDealTag: dealTags.add,
	removeDealTag: dealTags.remove,
	listDealUsers: dealUsers.list,
	addDealUser: dealUsers.add,
	removeDealUser: dealUsers.remove,
	listStagesOfDeal: stagesOfDeal.list,
	addStageOfDeal: stagesOfDeal.add,
	removeStageOfDeal: stagesOfDeal.remove,
} satisfies Partial<Handlers>;
