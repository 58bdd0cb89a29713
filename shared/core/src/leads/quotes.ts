import {
	invalidMembers,
	MAX_MONEY,
	notFound,
	type Quote,
	type QuotePut,
} from "@partnerwire/contract";
import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { QuoteLine } from "../db/tables/sales.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import { type References, toId } from "../resource/references.ts";
import { toCurrencyRef } from "../resource/to-ref.ts";
import { roundMoney } from "../values/money.ts";
import { toTimes } from "../values/times.ts";
import { leads } from "./leads.ts";

const selectQuotes = ({ query, tables: { quote, currency } }: Db) =>
	query
		.select({ row: quote, currency: toCurrencyRef(currency) })
		.from(quote)
		.leftJoin(currency, eq(currency.id, quote.currencyId))
		.$dynamic();

interface QuoteRow {
	row: RowOf<"quote">;
	currency: Quote["currency"];
}

const toQuote = ({ row, currency }: QuoteRow): Quote => ({
	uuid: row.uuid,
	quote_number: row.quoteNumber,
	valid_from: row.validFrom,
	valid_until: row.validUntil,
	subtotal: row.subtotal,
	discount_total: row.discountTotal,
	tax_total: row.taxTotal,
	total: row.total,
	currency,
	notes: row.notes,
	terms: row.terms,
	pricing_calculator_uuid: row.pricingCalculatorUuid,
	line_items: row.lineItems,
	...toTimes(row),
});

type Lines = readonly { product_uuid: string | null }[];
const productsOf = (lines: Lines) =>
	lines.flatMap(({ product_uuid }) => product_uuid ?? []);

/** Throws a 400 for lines with an unknown product or another company's. Products the quote has already are allowed. */
async function checkProducts(
	lines: Lines,
	stored: Lines,
	{ db, caller }: Context,
): Promise<void> {
	const { product } = db.tables;
	const uuids = productsOf(lines);
	if (uuids.length === 0) return;
	const rows = await db.query
		.select({ uuid: product.uuid })
		.from(product)
		.where(
			and(
				inArray(product.uuid, uuids),
				eq(product.companyUuid, caller.companyUuid),
			),
		);
	const known = new Set([
		...rows.map(({ uuid }) => uuid),
		...productsOf(stored),
	]);
	const invalid = [...lines.entries()].filter(
		([, { product_uuid: uuid }]) => uuid !== null && !known.has(uuid),
	);
	if (invalid.length === 0) return;
	throw invalidMembers(
		invalid.map(([index]) => ({
			field: `body/line_items/${index}/product_uuid`,
			message: "does not refer to a record of this account",
		})),
	);
}

/** Throws a 400 for computed amounts beyond the bounds of submitted ones. */
function refuseTooMuch(
	lines: readonly { total: number }[],
	sums: readonly number[],
): void {
	const isTooMuch = (amount: number) => Math.abs(amount) > MAX_MONEY;
	const message = `comes to more than ${MAX_MONEY}`;
	const invalid = [...lines.entries()]
		.filter(([, { total }]) => isTooMuch(total))
		.map(([index]) => ({ field: `body/line_items/${index}`, message }));
	if (invalid.length === 0 && sums.some(isTooMuch))
		invalid.push({ field: "body/line_items", message });
	if (invalid.length > 0) throw invalidMembers(invalid);
}

async function toColumns(
	body: QuotePut,
	references: References,
	{ context, viewed }: { context: Context; viewed: QuoteRow | undefined },
) {
	const currency = await references.find(
		"currency",
		"currency_uuid",
		body.currency_uuid,
	);
	await references.find(
		"pricingCalculator",
		"pricing_calculator_uuid",
		body.pricing_calculator_uuid,
	);
	references.refuseInvalid();
	await checkProducts(body.line_items, viewed?.row.lineItems ?? [], context);
	const round = (value: number) => roundMoney(value, currency?.code);
	const lineItems: QuoteLine[] = body.line_items.map((line) => ({
		...line,
		total: round(line.quantity * line.unit_price),
	}));
	const subtotal = round(lineItems.reduce((sum, { total }) => sum + total, 0));
	const total = round(subtotal - body.discount_total + body.tax_total);
	refuseTooMuch(lineItems, [subtotal, total]);
	return {
		quoteNumber: body.quote_number,
		validFrom: body.valid_from,
		validUntil: body.valid_until,
		subtotal,
		discountTotal: body.discount_total,
		taxTotal: body.tax_total,
		total,
		currencyId: toId(currency),
		notes: body.notes,
		terms: body.terms,
		pricingCalculatorUuid: body.pricing_calculator_uuid,
		lineItems,
	} satisfies Partial<QuoteRow["row"]>;
}

/** Quotes are parts of which a lead has at most one. */
const quotes = createParts({
	table: "quote",
	entity: "lead_quote",
	noun: "quote",
	parents: leads,
	column: "leadUuid",
	select: selectQuotes,
	toShown: toQuote,
	toColumns,
});

async function findQuote(leadUuid: string, { db }: Context) {
	const [found] = await quotes.findOf(leadUuid, db);
	return found;
}

/** The operations on the quote of a lead (docs/decisions.md#quote-of-a-lead). */
export const quoteHandlers = {
	getLeadQuote: async ({ params }, context) => {
		await leads.read(params.uuid, context);
		const found = await findQuote(params.uuid, context);
		return found ? toQuote(found) : null;
	},

	setLeadQuote: async ({ params: { uuid }, body }, context) => {
		await leads.readLive(uuid, context);
		const found = await findQuote(uuid, context);
		return found
			? quotes.change(found, body, context)
			: quotes.add(uuid, body, context);
	},

	deleteLeadQuote: async ({ params: { uuid } }, context) => {
		await leads.readLive(uuid, context);
		const found = await findQuote(uuid, context);
		if (!found) throw notFound("quote");
		return quotes.remove(found, context);
	},
} satisfies Partial<Handlers>;
