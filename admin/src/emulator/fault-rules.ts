import { OPERATION_IDS, type OperationId } from "@partnerwire/contract";
import { EVENT_IDS, type EventId } from "@partnerwire/wire";
import * as z from "zod";

export const REQUEST_FAULTS = ["429", "500", "503", "slow", "drop"] as const;
export const DELIVERY_FAULTS = ["duplicate", "reorder"] as const;

const Count = z.int().min(0).max(1_000_000);
const DelayMs = z.int().min(1).max(60_000);

const shared = {
	/** How often the fault is applied; null for always. */
	times: z.int().min(1).max(1_000_000).nullable().default(1),
	/** How many matches pass unharmed first. */
	after: Count.default(0),
};

const requestFault = {
	...shared,
	method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
	/** A path, in which `*` means anything. */
	path: z.string().startsWith("/").max(500).optional(),
	operation_id: z.enum(OPERATION_IDS as [OperationId]).optional(),
	/** Runs the operation first. The fault then replaces its answer. */
	executed: z.boolean().default(false),
	delay_ms: DelayMs.default(2000),
	retry_after_s: z.int().min(0).max(86_400).default(1),
};

/** A fault of a request to the API or to the inbox. */
export const RequestFault = z.strictObject({
	kind: z.enum(REQUEST_FAULTS),
	...requestFault,
});
export type RequestFault = z.output<typeof RequestFault>;

/** A fault of a delivery, to any receiver. */
export const DeliveryFault = z.strictObject({
	kind: z.enum(DELIVERY_FAULTS),
	...shared,
	event_id: z.enum(EVENT_IDS as [EventId]).optional(),
	webhook_url: z.string().max(2048).optional(),
	/** How long a delivery waits to be overtaken by the next one. */
	delay_ms: DelayMs.default(2000),
});
export type DeliveryFault = z.output<typeof DeliveryFault>;

/** A fault, and when it is applied. */
export const FaultRule = z.discriminatedUnion("kind", [
	RequestFault,
	DeliveryFault,
]);
export type FaultRule = z.output<typeof FaultRule>;
export type FaultRuleInput = z.input<typeof FaultRule>;

/** An active rule, with the number of its matches and uses. */
export type Fault = FaultRule & {
	readonly id: number;
	matched: number;
	struck: number;
	/** Overtaken deliveries that no receiver had accepted at the end of their schedule. */
	lost: number;
};
