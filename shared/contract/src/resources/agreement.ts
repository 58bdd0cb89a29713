import { z } from "zod";
import { definePlain } from "../table/plain.ts";
import { LabelRef, PartnershipRef } from "../table/references.ts";
import { calendarDate, instant, requiredLine } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

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
