import type { PaymentUpdate } from "@partnerwire/contract";
import { toPayment } from "../commissions/payment-view.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import { selectRows } from "../resource/resource-kind.ts";
import { deals } from "./deals.ts";

/** The payments of a deal, those that a commission made included. */
const payments = createParts({
	table: "payment",
	entity: "lead_deal_payment",
	noun: "payment",
	parents: deals,
	column: "dealUuid",
	select: selectRows("payment"),
	defaults: { approved: false, completed: false },
	toShown: toPayment,
	toColumns: (body: PaymentUpdate) => ({
		paymentValue: body.payment_value,
		paymentDate: body.payment_date,
		category: body.category,
		approved: body.approved,
		completed: body.completed,
	}),
}).handlers;

export const paymentHandlers = {
	listDealPayments: payments.list,
	createDealPayment: payments.create,
	updateDealPayment: payments.update,
	deleteDealPayment: payments.remove,
} satisfies Partial<Handlers>;
