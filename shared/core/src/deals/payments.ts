import type { PaymentCreate, PaymentUpdate } from "@partnerwire/contract";
import { toPayment } from "../commissions/payment-view.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import { deals } from "./deals.ts";

const toColumns = (body: PaymentUpdate) => ({
	paymentValue: body.payment_value,
	paymentDate: body.payment_date,
	category: body.category,
	approved: body.approved,
	completed: body.completed,
});

/** The payments of a deal, those that a commission made included. */
const payments = createParts({
	table: "payment",
	entity: "lead_deal_payment",
	noun: "payment",
	parents: deals,
	column: "dealUuid",
	select: ({ query, tables: { payment } }) =>
		query.select({ row: payment }).from(payment).$dynamic(),
	toShown: toPayment,
	toCreated: async (body: PaymentCreate) => ({
		...toColumns(body),
		approved: body.approved ?? false,
		completed: body.completed ?? false,
	}),
	toChanged: async (body: PaymentUpdate) => toColumns(body),
});

export const paymentHandlers = {
	listDealPayments: payments.list,
	createDealPayment: payments.create,
	updateDealPayment: payments.update,
	deleteDealPayment: payments.remove,
} satisfies Partial<Handlers>;
