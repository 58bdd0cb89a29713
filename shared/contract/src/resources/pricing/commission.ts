import * as z from "zod";
import { crud } from "../../table/crud.ts";
import {
	queryBoolean,
	querySearch,
	sortQuery,
} from "../../table/list-query.ts";
import { money } from "../../table/numbers.ts";
import { defineRead, defineWrite } from "../../table/operation.ts";
import { RecordParams } from "../../table/params.ts";
import { PartnershipRef, PartnerType } from "../../table/references.ts";
import { requiredLine, text, timestamp } from "../../table/text.ts";
import { Uuid } from "../../table/uuid.ts";

/* Commissions: how one is calculated, the commission of a deal, and the rules that new deals take it from. */

export const CommissionOption = z.enum(["fixed", "percentage", "scaling"]);
export type CommissionOption = z.infer<typeof CommissionOption>;

export const RecurringPeriod = z.enum([
	"weekly",
	"monthly",
	"quarterly",
	"yearly",
]);
export type RecurringPeriod = z.infer<typeof RecurringPeriod>;

/** The most payments of a calculation: a hundred years of months. */
const MAX_PAYMENTS = 1200;

const ScalingConfig = z.object({
	customFieldId: z.int(),
	tiers: z
		.array(
			z.object({
				optionId: z.int(),
				option: CommissionOption,
				value: money().min(0),
			}),
		)
		.max(200),
});
export type ScalingConfig = z.infer<typeof ScalingConfig>;

const occurrence = () => z.int().min(1).max(MAX_PAYMENTS);

const Period = z
	.object({
		periodNumber: z.int(),
		startOccurrence: occurrence(),
		endOccurrence: occurrence(),
		option: CommissionOption,
		value: money().min(0),
		scalingConfig: ScalingConfig.nullable().optional(),
	})
	.refine(
		({ option, scalingConfig }) => option !== "scaling" || scalingConfig,
		{
			path: ["scalingConfig"],
			error: "is required where the option is scaling",
		},
	)
	.refine((period) => period.startOccurrence <= period.endOccurrence, {
		path: ["endOccurrence"],
		error: "must be at least startOccurrence",
	});

/** A decimal as text; blank where the option has no value of its own. */
const decimalText = () =>
	z
		.string()
		.regex(/^(\d{1,13}(\.\d{1,10})?)?$/, {
			error: 'must be a decimal number as text, such as "12.5"',
		})
		.meta({ examples: ["12.5"] });

const members = {
	option: CommissionOption.nullable().optional(),
	value: decimalText().nullable().optional(),
	scalingConfig: ScalingConfig.nullable().optional(),
	recurring_period: RecurringPeriod.nullable().optional(),
	number_of_occurrences: occurrence().nullable().optional(),
	periodRates: z
		.object({ enabled: z.boolean(), periods: z.array(Period).max(100) })
		.nullable()
		.optional(),
};

type Members = z.infer<z.ZodObject<typeof members>>;

/** Checks the members that the option of a calculation needs. */
function requireMembers(
	{ option, value, scalingConfig }: Members,
	context: z.RefinementCtx,
): void {
	const require = (member: keyof Members, message: string) =>
		context.addIssue({ code: "custom", path: [member], message });
	if (!option) require("option", "is required");
	else if (option === "scaling") {
		if (!scalingConfig)
			require("scalingConfig", "is required where the option is scaling");
	} else if (!value)
		require("value", `is required where the option is ${option}`);
}

const part = <Type extends "oneOff" | "recurring">(type: Type) =>
	z.object({ type: z.literal(type), ...members }).superRefine(requireMembers);

const Calculation = z
	.object({
		type: z.enum(["oneOff", "recurring", "split"]),
		...members,
		split: z
			.object({ oneOff: part("oneOff"), recurring: part("recurring") })
			.nullable()
			.optional(),
	})
	.superRefine((calculation, context) => {
		if (calculation.type !== "split") requireMembers(calculation, context);
		else if (!calculation.split)
			context.addIssue({
				code: "custom",
				path: ["split"],
				message: "is required where the type is split",
			});
	});
/** How one entry of a commission is calculated (docs/contract.md#deal-commission). */
export type CommissionCalc = z.infer<typeof Calculation>;

const FileUrl = text(2000)
	.refine((value) => /^https?:\/\/\S+$/.test(value), {
		error: "must be an http or https URL",
	})
	.meta({ maxLength: 2000, examples: ["https://files.example/terms.pdf"] });

const Override = z.object({
	amount: money().min(0),
	currency: z
		.object({ uuid: Uuid, code: text(3) })
		.nullable()
		.optional(),
	note: text(10_000).nullable().optional(),
	document: z
		.object({
			uuid: Uuid,
			file_url: FileUrl.nullable().optional(),
			file_name: text().nullable().optional(),
			mime_type: text().nullable().optional(),
		})
		.nullable()
		.optional(),
});

const Entry = z.object({
	payment_stage_id: z.int(),
	calculation: Calculation,
	override: Override.nullable().optional(),
});
export type CommissionEntry = z.infer<typeof Entry>;

/** The number of payments of an entry. */
export const paymentsOf = ({ calculation, override }: CommissionEntry) => {
	if (override) return 1;
	const { type, split, number_of_occurrences } = calculation;
	const once = type === "recurring" ? 0 : 1;
	const recurring =
		type === "split"
			? (split?.recurring.number_of_occurrences ?? 1)
			: type === "recurring"
				? (number_of_occurrences ?? 1)
				: 0;
	return once + recurring;
};

/** A commission. It is stored and answered exactly as it was written (docs/decisions.md#commission-of-a-deal). */
export const CommissionCalculation = z.object({
	entries: z
		.array(Entry)
		.max(50)
		.refine(
			(entries) =>
				entries.reduce((sum, entry) => sum + paymentsOf(entry), 0) <=
				MAX_PAYMENTS,
			{ error: `must come to at most ${MAX_PAYMENTS} payments` },
		),
});
export type CommissionCalculation = z.infer<typeof CommissionCalculation>;

/** The commission of a deal; `calculation` is null without one. */
export const DealCommission = z.object({
	calculation: CommissionCalculation.nullable(),
});
export type DealCommission = z.infer<typeof DealCommission>;

const dealCommission = {
	group: "Deals",
	path: "/v1/deals/{uuid}/commission",
	params: RecordParams,
} as const;

export const dealCommissionOperations = {
	getDealCommission: defineRead({
		...dealCommission,
		summary: "Get the commission calculation of a deal",
		response: DealCommission,
	}),
	setDealCommission: defineWrite({
		...dealCommission,
		method: "PUT",
		summary: "Set the commission calculation of a deal, or take it away",
		body: DealCommission,
		response: DealCommission,
		emits: ["deal_updated"],
	}),
};

/** A rule: new deals that it fits take its calculation (docs/decisions.md#commission-rules). */
export const Commission = z.object({
	uuid: z.string(),
	label: z.string(),
	active: z.boolean(),
	partner_type: PartnerType.nullable(),
	partnership: PartnershipRef.nullable(),
	calculation: CommissionCalculation,
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Commission = z.infer<typeof Commission>;

const writable = {
	label: requiredLine(),
	active: z.boolean(),
	/** Null means all of them. */
	partner_type: PartnerType.nullable(),
	partnership_uuid: Uuid.nullable(),
	calculation: CommissionCalculation,
};

export const CommissionCreate = z
	.object(writable)
	.partial()
	.extend({ label: writable.label, calculation: writable.calculation });
export type CommissionCreate = z.infer<typeof CommissionCreate>;

export const CommissionUpdate = z.object(writable).partial();
export type CommissionUpdate = z.infer<typeof CommissionUpdate>;

/** Commission rules. */
export const commissionOperations = crud({
	noun: "Commission",
	plural: "Commissions",
	removal: "delete",
	path: "/v1/commissions",
	item: Commission,
	create: CommissionCreate,
	update: CommissionUpdate,
	filters: {
		search: querySearch().optional(),
		active: queryBoolean().optional(),
		partner_type: PartnerType.optional(),
		partnership_uuid: Uuid.optional(),
		sort: sortQuery("label", "-label"),
	},
	emits: { create: [], update: [], remove: [] },
});
