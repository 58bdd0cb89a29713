import {
	invalidMembers,
	MAX_MONEY,
	notFound,
	type Quote,
	type QuotePut,
} from "@partnerwire/contract";
import { and, eq, inArray } from "drizzle-orm";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { insertRow, type NewRowOf } from "../db/insert-row.ts";
import type { QuoteLine } from "../db/tables/sales.ts";
import type { Handlers } from "../execute/handlers.ts";
import { toChangedColumns } from "../resource/patch.ts";
import { createReferences, toId } from "../resource/references.ts";
import { roundMoney } from "../values/money.ts";
import { toTimes } from "../values/times.ts";
import { leads } from "./leads.ts";

async function findQuote(leadUuid: string, { db }: Context) {
	const { quote, currency } = db.tables;
	const [found] = await db.query
		.select({
			row: quote,
			currency: {
				uuid: currency.uuid,
				code: currency.code,
				label: currency.label,
			},
		})
		.from(quote)
		.leftJoin(currency, eq(currency.id, quote.currencyId))
		.where(eq(quote.leadUuid, leadUuid));
	return found;
}

type QuoteRow = NonNullable<Awaited<ReturnType<typeof findQuote>>>;

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

async function readQuote(
	leadUuid: string,
	context: Context,
): Promise<QuoteRow> {
	const found = await findQuote(leadUuid, context);
	if (!found) throw notFound("quote");
	return found;
}

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
	found: QuoteRow | undefined,
	context: Context,
) {
	const references = createReferences(context, found?.row);
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
	await checkProducts(body.line_items, found?.row.lineItems ?? [], context);
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
	} satisfies Partial<NewRowOf<"quote">>;
}

/** The change of a lead's quote, which is also an update of the lead. */
async function toChange(
	action: "created" | "updated" | "deleted",
	leadUuid: string,
	{ before, after }: { before: Quote | null; after: Quote | null },
	context: Context,
): Promise<Change> {
	const uuid = (after ?? before)?.uuid ?? leadUuid;
	const emits = await leads.touch(leadUuid, context);
	return { entity: "lead_quote", uuid, action, before, after, emits };
}

/** The operations on the quote of a lead (docs/decisions.md#quote-of-a-lead). */
export const quoteHandlers = {
	getLeadQuote: async ({ params }, context) => {
		await leads.read(params.uuid, context);
		const found = await findQuote(params.uuid, context);
		return found ? toQuote(found) : null;
	},

	setLeadQuote: async ({ params: { uuid }, body }, context) => {
		const { db, nowMs, caller } = context;
		await leads.readLive(uuid, context);
		const found = await findQuote(uuid, context);
		const columns = await toColumns(body, found, context);
		const before = found ? toQuote(found) : null;
		const changed = found && toChangedColumns(found.row, columns);
		if (before && !changed) return { result: before, changes: [] };
		if (changed) {
			await db.query
				.update(db.tables.quote)
				.set({ ...changed, updatedAt: nowMs })
				.where(eq(db.tables.quote.leadUuid, uuid));
		} else {
			await insertRow(db, "quote", {
				...columns,
				uuid: context.newUuid(),
				companyUuid: caller.companyUuid,
				leadUuid: uuid,
				createdAt: nowMs,
				updatedAt: nowMs,
			});
		}
		const after = toQuote(await readQuote(uuid, context));
		const action = before ? "updated" : "created";
		const change = await toChange(action, uuid, { before, after }, context);
		return { result: after, changes: [change] };
	},

	deleteLeadQuote: async ({ params: { uuid } }, context) => {
		await leads.readLive(uuid, context);
		const before = toQuote(await readQuote(uuid, context));
		const { quote } = context.db.tables;
		await context.db.query.delete(quote).where(eq(quote.leadUuid, uuid));
		const shown = { before, after: null };
		const change = await toChange("deleted", uuid, shown, context);
		return { result: { success: true }, changes: [change] };
	},
} satisfies Partial<Handlers>;
