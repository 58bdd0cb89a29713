import { z } from "zod";
import { definePlain } from "../table/plain.ts";
import { requiredLine, text } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

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
