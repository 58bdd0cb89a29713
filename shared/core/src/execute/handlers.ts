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

/** What a write answers, and what it changed: the audit log and the outbox are written from `changes`. */
export interface Outcome<Result> {
	readonly result: Result;
	readonly changes: readonly Change[];
	/** How many deliveries it made ready, beyond those of the events of its changes. */
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
 * `settle` in another transaction.
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

/** One handler per operation: a missing or wrong one does not compile. */
export type Handlers = { readonly [Id in OperationId]: HandlerOf<Id> };

/** Ties the three steps of an action together, so that what `plan` answers is what `perform` takes. */
export function defineActionHandler<Id extends OperationId, Plan, Done>(
	_id: Id,
	steps: ActionHandler<Id, Plan, Done>,
): ActionHandler<Id> {
	return steps;
}
