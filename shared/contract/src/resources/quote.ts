import * as z from "zod";
import { money, quantity } from "../table/numbers.ts";
import { defineRead, defineWrite } from "../table/operation.ts";
import { RecordParams, Success } from "../table/params.ts";
import { CurrencyRef } from "../table/references.ts";
import { calendarDate, requiredLine, text, timestamp } from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

/** The quote of a lead (docs/decisions.md#quote-of-a-lead). */
export const Quote = z.object({
	uuid: z.string(),
	quote_number: z.string().nullable(),
	valid_from: z.string().nullable(),
	valid_until: z.string().nullable(),
	subtotal: z.number(),
	discount_total: z.number(),
	tax_total: z.number(),
	total: z.number(),
	currency: CurrencyRef.nullable(),
	notes: z.string().nullable(),
	terms: z.string().nullable(),
	pricing_calculator_uuid: z.string().nullable(),
	line_items: z.array(
		z.object({
			label: z.string(),
			product_uuid: z.string().nullable(),
			quantity: z.number(),
			unit_price: z.number(),
			total: z.number(),
		}),
	),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Quote = z.infer<typeof Quote>;

const QuoteLine = z.object({
	label: requiredLine(),
	product_uuid: Uuid.nullable().default(null),
	quantity: quantity().default(1),
	unit_price: money(),
});

/** PUT replaces the whole quote. The totals of its lines, `subtotal` and `total` are computed. */
export const QuotePut = z.object({
	quote_number: text().nullable().default(null),
	valid_from: calendarDate().nullable().default(null),
	valid_until: calendarDate().nullable().default(null),
	discount_total: money().min(0).default(0),
	tax_total: money().min(0).default(0),
	currency_uuid: Uuid.nullable().default(null),
	notes: text(10_000).nullable().default(null),
	terms: text(10_000).nullable().default(null),
	/** The calculator that the prices came from. They are not calculated again. */
	pricing_calculator_uuid: Uuid.nullable().default(null),
	line_items: z.array(QuoteLine).max(500).default([]),
});
export type QuotePut = z.infer<typeof QuotePut>;

const quote = {
	group: "Leads",
	path: "/v1/leads/{uuid}/quote",
	params: RecordParams,
} as const;
const emits = ["lead_updated"] as const;

/** A lead has at most one quote. */
export const quoteOperations = {
	getLeadQuote: defineRead({
		...quote,
		summary: "Get the quote of a lead, or null",
		response: Quote.nullable(),
	}),
	setLeadQuote: defineWrite({
		...quote,
		method: "PUT",
		summary: "Set the whole quote of a lead",
		body: QuotePut,
		response: Quote,
		exact: true,
		emits,
	}),
	deleteLeadQuote: defineWrite({
		...quote,
		method: "DELETE",
		summary: "Delete the quote of a lead",
		response: Success,
		emits,
	}),
};
