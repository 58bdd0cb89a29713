import { z } from "zod";
import { links } from "../table/links.ts";
import { definePlain } from "../table/plain.ts";
import { LabelRef, PartnershipRef } from "../table/references.ts";
import { instant, requiredLine, text } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";
import { LeadContact } from "./lead.ts";

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
		noun: "CampaignPartner",
		plural: "CampaignPartners",
		segment: "partners",
		what: "partner",
		member: "partnership_uuid",
		item: PartnershipRef,
	}),
};
