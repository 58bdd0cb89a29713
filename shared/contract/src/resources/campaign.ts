import * as z from "zod";
import { links, partnerLinks } from "../table/links.ts";
import { definePlain } from "../table/plain.ts";
import { LabelRef } from "../table/references.ts";
import { instant, requiredLine, text } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { LeadContact } from "./lead.ts";

/* Campaigns with their audience and partners, and the marketing templates that they use. */

const MarketingTemplateStatus = z.enum(["draft", "live"]);
const MarketingTemplateType = z.enum(["email", "social", "landing_page"]);

/** The templates of campaigns. One that a campaign uses cannot be deleted. */
export const marketingTemplates = definePlain({
	noun: "MarketingTemplate",
	plural: "MarketingTemplates",
	path: "/v1/marketing-templates",
	name: "name",
	removal: "delete",
	mandatory: { name: requiredLine() },
	optional: {
		type: MarketingTemplateType,
		subject: text().nullable(),
		content: text(100_000).nullable(),
		asset_uuid: Uuid.nullable(),
		status: MarketingTemplateStatus,
	},
	defaults: { type: "email", status: "draft" },
	filters: {
		type: MarketingTemplateType.optional(),
		status: MarketingTemplateStatus.optional(),
	},
});

const CampaignStatus = z.enum(["draft", "scheduled", "running", "completed"]);

/** Campaigns; DELETE archives them (docs/decisions.md#delete). */
export const campaigns = definePlain({
	noun: "Campaign",
	plural: "Campaigns",
	path: "/v1/campaigns",
	name: "label",
	removal: "archive",
	mandatory: { label: requiredLine() },
	optional: {
		description: text(10_000).nullable(),
		template_uuid: Uuid.nullable(),
		asset_uuid: Uuid.nullable(),
		status: CampaignStatus,
		starts_at: instant().nullable(),
		ends_at: instant().nullable(),
	},
	defaults: { status: "draft" },
	shown: { template: LabelRef.nullable() },
	filters: { status: CampaignStatus.optional() },
});

const onCampaigns = {
	parent: "/v1/campaigns/{uuid}",
	group: "Campaigns",
	emits: [],
} as const;

/** The contacts that a campaign is for, and the partners that take part. */
export const campaignLinkOperations = {
	...links({
		...onCampaigns,
		noun: "CampaignAudienceContact",
		plural: "CampaignAudience",
		segment: "audience",
		what: "contact",
		member: "contact_uuid",
		item: LeadContact,
	}),
	...links({
		...onCampaigns,
		...partnerLinks,
		noun: "CampaignPartner",
		plural: "CampaignPartners",
	}),
};
