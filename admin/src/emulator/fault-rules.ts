import { OPERATION_IDS, type OperationId } from "@partnerwire/contract";
import { EVENT_IDS, type EventId } from "@partnerwire/wire";
import { z } from "zod";

export const REQUEST_FAULTS = ["429", "500", "503", "slow", "drop"] as const;
export const DELIVERY_FAULTS = ["duplicate", "reorder"] as const;

const Count = z.int().min(0).max(1_000_000);
const DelayMs = z.int().min(1).max(60_000);

const shared = {
	/** How often it strikes; null for always. */
	times: z.int().min(1).max(1_000_000).nullable().default(1),
	/** How many that match are let through first. */
	after: Count.default(0),
};

const requestFault = {
	...shared,
	method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]).optional(),
	/** A path, in which `*` stands for anything. */
	path: z.string().startsWith("/").max(500).optional(),
	operation_id: z.enum(OPERATION_IDS as [OperationId]).optional(),
	/** The operation runs first, and the fault takes the place of its answer. */
	executed: z.boolean().default(false),
	delay_ms: DelayMs.default(2000),
	retry_after_s: z.int().min(0).max(86_400).default(1),
};

/** What can go wrong with a request to the API or to the inbox. */
export const RequestFault = z.strictObject({
	kind: z.enum(REQUEST_FAULTS),
	...requestFault,
});
export type RequestFault = z.output<typeof RequestFault>;

/** What can go wrong with a delivery, wherever its receiver is. */
export const DeliveryFault = z.strictObject({
	kind: z.enum(DELIVERY_FAULTS),
	...shared,
	event_id: z.enum(EVENT_IDS as [EventId]).optional(),
	webhook_url: z.string().max(2048).optional(),
	/** How long a delivery that is to be overtaken waits for the next one. */
	delay_ms: DelayMs.default(2000),
});
export type DeliveryFault = z.output<typeof DeliveryFault>;

/** A fault, or the rule for when it strikes. */
export const FaultRule = z.discriminatedUnion("kind", [
	RequestFault,
	DeliveryFault,
]);
export type FaultRule = z.output<typeof FaultRule>;
export type FaultRuleInput = z.input<typeof FaultRule>;

/** A rule that is in force, with how often it matched and struck. */
export type Fault = FaultRule & {
	readonly id: number;
	matched: number;
	struck: number;
	/** Deliveries that were overtaken and then taken by no receiver until their schedule was over. */
	lost: number;
};
