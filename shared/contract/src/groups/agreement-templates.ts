import { z } from "zod";
import { definePlain } from "../table/plain.ts";
import { requiredLine, text } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

const AgreementTemplateStatus = z.enum(["draft", "live"]);

/** The templates of agreements. One that an agreement uses cannot be deleted. */
export const agreementTemplates = definePlain({
	noun: "AgreementTemplate",
	plural: "AgreementTemplates",
	path: "/v1/agreement-templates",
	name: "label",
	removal: "delete",
	mandatory: { label: requiredLine() },
	optional: {
		content: text(100_000).nullable(),
		asset_uuid: Uuid.nullable(),
		status: AgreementTemplateStatus,
	},
	defaults: { status: "draft" },
	filters: { status: AgreementTemplateStatus.optional() },
});
