import type { Payment } from "@partnerwire/contract";
import type { RowOf } from "../db/insert-row.ts";
import { toTimes } from "../values/times.ts";

/** A payment as the API shows it. */
export const toPayment = ({ row }: { row: RowOf<"payment"> }): Payment => ({
	uuid: row.uuid,
	payment_value: row.paymentValue,
	payment_date: row.paymentDate,
	category: row.category,
	approved: row.approved,
	completed: row.completed,
	...toTimes(row),
});
