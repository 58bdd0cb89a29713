import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";
import type { ConfigurationTables } from "./configuration.ts";
import type { RecordTables } from "./records.ts";

export const BILLING_TYPES = ["one_time", "recurring"] as const;
const BILLING_PERIODS = ["monthly", "quarterly", "yearly"] as const;
const PRODUCT_STATUSES = ["draft", "live"] as const;

/** One line of a quote, as it is stored. */
export interface QuoteLine {
	label: string;
	product_uuid: string | null;
	quantity: number;
	unit_price: number;
	total: number;
}

/** Products, and the products, quotes, payments and supporting partners of leads and deals. */
export function defineSalesTables(
	kit: ColumnKit,
	{
		company,
		currency,
		attribution,
		partnerRole,
		partner,
		lead,
		deal,
	}: AccessTables & ConfigurationTables & RecordTables,
) {
	const record = () => ({
		uuid: kit.uuid("uuid").primaryKey(),
		companyUuid: kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid),
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});
	const leadUuid = () => kit.uuid("lead_uuid").references(() => lead.uuid);
	const dealUuid = () => kit.uuid("deal_uuid").references(() => deal.uuid);
	const currencyId = () => kit.int("currency_id").references(() => currency.id);

	const product = kit.table("product", {
		...record(),
		archivedAt: kit.time("archived_at"),
		name: kit.text("name").notNull(),
		sku: kit.text("sku"),
		description: kit.text("description"),
		price: kit.number("price").notNull(),
		billingType: kit.oneOf("billing_type", BILLING_TYPES).notNull(),
		billingPeriod: kit.oneOf("billing_period", BILLING_PERIODS),
		status: kit.oneOf("status", PRODUCT_STATUSES).notNull(),
		currencyId: currencyId(),
	});

	/** A product on a lead or on a deal: one of the two is set. */
	const recordProduct = kit.table(
		"record_product",
		{
			...record(),
			leadUuid: leadUuid(),
			dealUuid: dealUuid(),
			productUuid: kit
				.uuid("product_uuid")
				.notNull()
				.references(() => product.uuid),
			quantity: kit.number("quantity").notNull(),
			unitPrice: kit.number("unit_price").notNull(),
		},
		(t) => [
			kit.index("record_product_lead").on(t.leadUuid, t.createdAt),
			kit.index("record_product_deal").on(t.dealUuid, t.createdAt),
		],
	);

	const payment = kit.table(
		"payment",
		{
			...record(),
			dealUuid: dealUuid().notNull(),
			paymentValue: kit.number("payment_value").notNull(),
			paymentDate: kit.text("payment_date").notNull(),
			category: kit.text("category"),
			approved: kit.bool("approved").notNull(),
			completed: kit.bool("completed").notNull(),
		},
		(t) => [kit.index("payment_deal").on(t.dealUuid, t.createdAt)],
	);

	/** A supporting partner of a deal; the primary one is the deal's own `partnership_uuid`. */
	const dealPartner = kit.table(
		"deal_partner",
		{
			id: kit.id(),
			dealUuid: dealUuid().notNull(),
			partnershipUuid: kit
				.uuid("partnership_uuid")
				.notNull()
				.references(() => partner.uuid),
			roleId: kit.int("role_id").references(() => partnerRole.id),
			createdAt: kit.time("created_at").notNull(),
		},
		(t) => [
			kit.uniqueIndex("deal_partner_pair").on(t.dealUuid, t.partnershipUuid),
			kit.index("deal_partner_role").on(t.roleId),
		],
	);

	const quote = kit.table(
		"quote",
		{
			...record(),
			leadUuid: leadUuid().notNull(),
			quoteNumber: kit.text("quote_number"),
			validFrom: kit.text("valid_from"),
			validUntil: kit.text("valid_until"),
			subtotal: kit.number("subtotal").notNull(),
			discountTotal: kit.number("discount_total").notNull(),
			taxTotal: kit.number("tax_total").notNull(),
			total: kit.number("total").notNull(),
			currencyId: currencyId(),
			notes: kit.text("notes"),
			terms: kit.text("terms"),
			pricingCalculatorUuid: kit.uuid("pricing_calculator_uuid"),
			lineItems: kit.json<QuoteLine[]>("line_items").notNull(),
		},
		(t) => [kit.uniqueIndex("quote_lead").on(t.leadUuid)],
	);

	const leadAttribution = kit.table(
		"lead_attribution",
		{
			...record(),
			leadUuid: leadUuid().notNull(),
			attributionId: kit
				.int("attribution_id")
				.notNull()
				.references(() => attribution.id),
			series: kit.int("series").notNull(),
			attributedDate: kit.text("attributed_date"),
		},
		(t) => [
			kit.index("lead_attribution_lead").on(t.leadUuid, t.series),
			kit.index("lead_attribution_use").on(t.attributionId),
		],
	);

	return {
		product,
		recordProduct,
		payment,
		dealPartner,
		quote,
		leadAttribution,
	};
}

export type SalesTables = ReturnType<typeof defineSalesTables>;
