import * as z from "zod";
import { definePlain } from "../table/plain.ts";
import { LabelRef, PartnershipRef } from "../table/references.ts";
import { calendarDate, instant, requiredLine, text } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

/* Agreements with partners, and the templates that they are made from. */

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

const AgreementStatus = z.enum([
	"draft",
	"sent",
	"signed",
	"declined",
	"expired",
]);

/** Agreements with a partner. */
export const agreements = definePlain({
	noun: "Agreement",
	plural: "Agreements",
	path: "/v1/agreements",
	name: "label",
	removal: "delete",
	mandatory: { label: requiredLine(), partnership_uuid: Uuid },
	optional: {
		template_uuid: Uuid.nullable(),
		asset_uuid: Uuid.nullable(),
		status: AgreementStatus,
		signed_at: instant().nullable(),
		expiration_date: calendarDate().nullable(),
	},
	defaults: { status: "draft" },
	shown: { partnership: PartnershipRef, template: LabelRef.nullable() },
	filters: {
		status: AgreementStatus.optional(),
		partnership_uuid: Uuid.optional(),
		template_uuid: Uuid.optional(),
	},
});
