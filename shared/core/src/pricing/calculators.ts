import type {
	DisplaySettings,
	PricingCalculator,
	PricingCalculatorCreate,
	PricingCalculatorUpdate,
} from "@partnerwire/contract/pricing";
import { and, eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenContains, whenEqual } from "../resource/conditions.ts";
import { createRecords } from "../resource/create-records.ts";
import { type References, toId } from "../resource/references.ts";
import { calculatePrice } from "./calculate-price.ts";
import {
	type CalculatorRow,
	loadParts,
	selectCalculators,
	toCalculator,
} from "./calculator-view.ts";

const DEFAULT_SETTINGS: DisplaySettings = {
	showProductBreakdown: true,
	showDiscounts: true,
	showRecurringTotal: true,
	submitButtonText: null,
	successMessage: null,
	billingMode: "single",
	billingPeriods: ["monthly"],
	defaultBillingPeriod: "monthly",
	periodDiscounts: {},
};

/** Pricing calculators: how the resource engine reads, writes and shows them. */
export const calculators = createRecords({
	table: "pricingCalculator",
	entity: "pricing_calculator",
	noun: "pricing calculator",
	select: selectCalculators,
	attach: loadParts,
	toShown: toCalculator,
	defaults: {
		status: "draft",
		submissionMode: "disabled",
		displaySettings: DEFAULT_SETTINGS,
		partnerTypeReferral: false,
		partnerTypeReseller: false,
		partnerTypeDistributor: false,
		availableOnLeads: false,
		requiredOnLeads: false,
		availableOnDeals: false,
		requiredOnDeals: false,
	},
	complete: async ({ currencyId }, context) => ({
		currencyId: currencyId ?? (await findDefaultCurrency(context)),
	}),
	toColumns,
});

async function toColumns(
	body: PricingCalculatorUpdate & Partial<PricingCalculatorCreate>,
	references: References,
	{ row }: { row: CalculatorRow["row"] | undefined },
): Promise<Partial<CalculatorRow["row"]>> {
	const currency = await references.find(
		"currency",
		"currency_uuid",
		body.currency_uuid,
	);
	references.refuseInvalid();
	return {
		name: body.name,
		description: body.description,
		partnerTypeReferral: body.partner_type_referral,
		partnerTypeReseller: body.partner_type_reseller,
		partnerTypeDistributor: body.partner_type_distributor,
		availableOnLeads: body.available_on_leads,
		requiredOnLeads: body.required_on_leads,
		availableOnDeals: body.available_on_deals,
		requiredOnDeals: body.required_on_deals,
		currencyId: toId(currency),
		submissionMode: body.submission_mode,
		displaySettings: body.display_settings && {
			...(row?.displaySettings ?? DEFAULT_SETTINGS),
			...body.display_settings,
		},
	};
}

/** The account's default currency; null if it has none. */
async function findDefaultCurrency({ db, caller }: Context) {
	const { currency } = db.tables;
	const [found] = await db.query
		.select({ id: currency.id })
		.from(currency)
		.where(
			and(
				eq(currency.companyUuid, caller.companyUuid),
				eq(currency.isDefault, true),
			),
		)
		.limit(1);
	return found?.id ?? null;
}

/** Reads a calculator with its parts. An archived one is a 404. */
async function readCalculator(
	uuid: string,
	context: Context,
): Promise<PricingCalculator> {
	return calculators.show(await calculators.readLive(uuid, context), context);
}

export const calculatorHandlers = {
	listPricingCalculators: ({ query }, context) => {
		const { db } = context;
		const { pricingCalculator } = db.tables;
		return calculators.list(query, context, {
			conditions: [
				whenEqual(pricingCalculator.status, query.status),
				whenContains(db, [pricingCalculator.name], query.search),
			],
			sortable: { name: pricingCalculator.name },
		});
	},
	getPricingCalculator: calculators.handlers.get,

	createPricingCalculator: calculators.handlers.create,
	updatePricingCalculator: calculators.handlers.update,
	deletePricingCalculator: calculators.handlers.archive,

	publishPricingCalculator: async ({ params }, context) => {
		const viewed = await calculators.read(params.uuid, context);
		const columns = { status: "live" as const, archivedAt: null };
		const wasArchived = viewed.row.archivedAt !== null;
		const action = wasArchived ? "restored" : "updated";
		return calculators.change(viewed, columns, context, { action });
	},

	archivePricingCalculator: async ({ params }, context) => {
		const viewed = await calculators.read(params.uuid, context);
		const archivedAt = viewed.row.archivedAt ?? context.nowMs;
		const action = "archived";
		return calculators.change(viewed, { archivedAt }, context, { action });
	},

	evaluatePricingCalculator: async ({ params, body }, context) =>
		calculatePrice(await readCalculator(params.uuid, context), body),
} satisfies Partial<Handlers>;
