import type {
	DisplaySettings,
	PricingCalculator,
	PricingCalculatorCreate,
	PricingCalculatorUpdate,
} from "@partnerwire/contract/pricing";
import { and, eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Handlers } from "../execute/handlers.ts";
import {
	whenArchived,
	whenContains,
	whenEqual,
} from "../resource/conditions.ts";
import { createRecords, type One } from "../resource/create-records.ts";
import { listPage } from "../resource/list-page.ts";
import {
	createReferences,
	type References,
	toId,
} from "../resource/references.ts";
import { calculatePrice } from "./calculate-price.ts";
import {
	type CalculatorRow,
	findCalculator,
	loadParts,
	selectCalculators,
	toCalculator,
} from "./calculator-view.ts";

/** Pricing calculators: how the resource engine reads, writes and shows them. */
export const calculators = createRecords({
	table: "pricingCalculator",
	entity: "pricing_calculator",
	noun: "pricing calculator",
	find: findCalculator,
	attach: loadParts,
	toShown: toCalculator,
	toColumns,
});

async function toColumns(
	body: PricingCalculatorUpdate,
	references: References,
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
	};
}

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

async function toNewColumns(body: PricingCalculatorCreate, context: Context) {
	const columns = await toColumns(body, createReferences(context));
	return {
		...columns,
		status: "draft" as const,
		submissionMode: body.submission_mode ?? "disabled",
		displaySettings: { ...DEFAULT_SETTINGS, ...body.display_settings },
		partnerTypeReferral: columns.partnerTypeReferral ?? false,
		partnerTypeReseller: columns.partnerTypeReseller ?? false,
		partnerTypeDistributor: columns.partnerTypeDistributor ?? false,
		availableOnLeads: columns.availableOnLeads ?? false,
		requiredOnLeads: columns.requiredOnLeads ?? false,
		availableOnDeals: columns.availableOnDeals ?? false,
		requiredOnDeals: columns.requiredOnDeals ?? false,
		currencyId: columns.currencyId ?? (await findDefaultCurrency(context)),
	};
}

/** Reads a calculator with its parts. An archived one is a 404. */
async function readCalculator(
	uuid: string,
	context: Context,
): Promise<PricingCalculator> {
	return calculators.show(await calculators.readLive(uuid, context), context);
}

export const calculatorHandlers = {
	listPricingCalculators: ({ query }, { db, caller }) => {
		const { pricingCalculator } = db.tables;
		return listPage(db, query, {
			table: pricingCalculator,
			query: selectCalculators(db),
			conditions: [
				eq(pricingCalculator.companyUuid, caller.companyUuid),
				whenArchived(pricingCalculator.archivedAt, query.archived),
				whenEqual(pricingCalculator.status, query.status),
				whenContains(db, [pricingCalculator.name], query.search),
			],
			sortable: { name: pricingCalculator.name },
			toItems: (rows) => calculators.showAll(rows, { db }),
		});
	},
	getPricingCalculator: calculators.handlers.get,

	createPricingCalculator: async ({ body }, context) =>
		calculators.create(await toNewColumns(body, context), context),

	updatePricingCalculator: async ({ params, body }, context) => {
		const requested = await toColumns(body, createReferences(context));
		const viewed = await calculators.readLive(params.uuid, context);
		const { displaySettings } = viewed.row;
		const merged = { ...displaySettings, ...body.display_settings };
		const columns = { ...requested, displaySettings: merged };
		return calculators.change(viewed, columns, context);
	},

	deletePricingCalculator: calculators.handlers.archive,

	publishPricingCalculator: async ({ params }: One, context) => {
		const viewed = await calculators.read(params.uuid, context);
		const columns = { status: "live" as const, archivedAt: null };
		const wasArchived = viewed.row.archivedAt !== null;
		const action = wasArchived ? "restored" : "updated";
		return calculators.change(viewed, columns, context, action);
	},

	archivePricingCalculator: async ({ params }: One, context) => {
		const viewed = await calculators.read(params.uuid, context);
		const archivedAt = viewed.row.archivedAt ?? context.nowMs;
		return calculators.change(viewed, { archivedAt }, context, "archived");
	},

	evaluatePricingCalculator: async ({ params, body }, context) =>
		calculatePrice(await readCalculator(params.uuid, context), body),
} satisfies Partial<Handlers>;
