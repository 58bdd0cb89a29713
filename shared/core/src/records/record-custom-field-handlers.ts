import type { Handlers } from "../execute/handlers.ts";
import { fieldsOf } from "./record-custom-fields.ts";

const { handlers: ofLeads } = fieldsOf.lead;
const { handlers: ofDeals } = fieldsOf.lead_deal;
const { handlers: ofPartners } = fieldsOf.partner;

/** The operations on custom field values of leads, deals and partners. */
export const recordCustomFieldHandlers = {
	listLeadCustomFields: ofLeads.list,
	setLeadCustomFields: ofLeads.set,
	updateLeadCustomFields: ofLeads.update,
	deleteLeadCustomFields: ofLeads.removeSome,
	getLeadCustomField: ofLeads.get,
	setLeadCustomField: ofLeads.setOne,
	updateLeadCustomField: ofLeads.setOne,
	deleteLeadCustomField: ofLeads.removeOne,
	listDealCustomFields: ofDeals.list,
	setDealCustomFields: ofDeals.set,
	updateDealCustomFields: ofDeals.update,
	deleteDealCustomFields: ofDeals.removeSome,
	getDealCustomField: ofDeals.get,
	setDealCustomField: ofDeals.setOne,
	updateDealCustomField: ofDeals.setOne,
	deleteDealCustomField: ofDeals.removeOne,
	listPartnerCustomFields: ofPartners.list,
	setPartnerCustomFields: ofPartners.set,
	updatePartnerCustomFields: ofPartners.update,
	deletePartnerCustomFields: ofPartners.removeSome,
	getPartnerCustomField: ofPartners.get,
	setPartnerCustomField: ofPartners.setOne,
	updatePartnerCustomField: ofPartners.setOne,
	deletePartnerCustomField: ofPartners.removeOne,
} satisfies Partial<Handlers>;
