import type {
	InputOf,
	OperationId,
	Operations,
	ResponseOf,
} from "@partnerwire/contract";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Ports } from "../context/ports.ts";
import type { Store } from "../db/db.ts";

/** The result of a write, and its changes: the audit log and the outbox are written from `changes`. */
export interface Outcome<Result> {
	readonly result: Result;
	readonly changes: readonly Change[];
	/** The number of deliveries made ready, beyond those of its changes' events. */
	readonly deliveries?: number;
}

export type ReadHandler<Id extends OperationId> = (
	input: InputOf<Id>,
	context: Context,
) => Promise<ResponseOf<Id>>;

export type WriteHandler<Id extends OperationId> = (
	input: InputOf<Id>,
	context: Context,
) => Promise<Outcome<ResponseOf<Id>>>;

/**
 * An action in three steps: `plan` in a transaction, `perform` over the network or in many small steps on the store,
 * `finish` in another transaction.
 */
export interface ActionHandler<
	Id extends OperationId,
	Plan = unknown,
	Done = unknown,
> {
	plan(input: InputOf<Id>, context: Context): Promise<Plan>;
	perform(plan: Plan, ports: Ports, store: Store): Promise<Done>;
	finish(
		done: Done,
		plan: Plan,
		context: Context,
	): Promise<Outcome<ResponseOf<Id>>>;
}

type HandlerOf<Id extends OperationId> = Operations[Id]["mode"] extends "read"
	? ReadHandler<Id>
	: Operations[Id]["mode"] extends "write"
		? WriteHandler<Id>
		: ActionHandler<Id>;

/** One handler for each operation. A missing or wrong one does not compile. */
export type Handlers = { readonly [Id in OperationId]: HandlerOf<Id> };

/** Ties the types of an action's three steps together: `perform` takes what `plan` returns. */
export function defineActionHandler<Id extends OperationId, Plan, Done>(
	_id: Id,
	steps: ActionHandler<Id, Plan, Done>,
): ActionHandler<Id> {
	return steps;
}
