import { z } from "zod";
import { money } from "../table/numbers.ts";
import { calendarDate, text, timestamp } from "../table/text.ts";

/** A payment of a deal (docs/decisions.md#payments-of-a-commission). */
export const Payment = z.object({
	uuid: z.string(),
	payment_value: z.number(),
	payment_date: z.string(),
	category: z.string().nullable(),
	approved: z.boolean(),
	completed: z.boolean(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Payment = z.infer<typeof Payment>;

const mandatory = { payment_value: money(), payment_date: calendarDate() };
const optional = {
	category: text().nullable(),
	approved: z.boolean(),
	completed: z.boolean(),
};

export const PaymentCreate = z.object(optional).partial().extend(mandatory);
export type PaymentCreate = z.infer<typeof PaymentCreate>;

export const PaymentUpdate = z.object({ ...optional, ...mandatory }).partial();
export type PaymentUpdate = z.infer<typeof PaymentUpdate>;
