import {
	campaigns as campaignDefinition,
	invalidMembers,
	marketingTemplates as templateDefinition,
} from "@partnerwire/contract";
import type { Handlers } from "../execute/handlers.ts";
import { createLinks } from "../resource/create-links.ts";
import { createPlain } from "../resource/create-plain.ts";
import { audience, manyPartners } from "../resource/link-kinds.ts";

const templates = createPlain(templateDefinition, {
	references: { asset_uuid: "asset" },
});

const campaigns = createPlain(campaignDefinition, {
	references: { template_uuid: "marketingTemplate", asset_uuid: "asset" },
	async refuse(columns, viewed) {
		const { startsAt, endsAt } = { ...viewed?.row, ...columns };
		if (typeof startsAt !== "number" || typeof endsAt !== "number") return;
		if (endsAt >= startsAt) return;
		const message = "must not be before starts_at";
		throw invalidMembers([{ field: "body/ends_at", message }]);
	},
});

const contacts = createLinks(campaigns, audience);
const partners = createLinks(
	{ ...campaigns, links: "contentLink" },
	manyPartners,
);

/** Campaigns with their audience and partners, and the templates of what they send. */
export const campaignHandlers = {
	...templates.handlers,
	...campaigns.handlers,

	listCampaignAudience: contacts.list,
	addCampaignAudienceContact: contacts.add,
	removeCampaignAudienceContact: contacts.remove,

	listCampaignPartners: partners.list,
	addCampaignPartner: partners.add,
	removeCampaignPartner: partners.remove,
} satisfies Partial<Handlers>;
