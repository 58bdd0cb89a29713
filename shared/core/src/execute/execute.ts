import {
	type ArgumentsOf,
	type Operation,
	type OperationId,
	operations,
	type ResponseOf,
} from "@partnerwire/contract";
import type { Caller } from "../context/caller.ts";
import type { Context } from "../context/context.ts";
import type { Standing } from "../context/standing.ts";
import type { Db, Store } from "../db/db.ts";
import { checkModule, checkPermission, takeStanding } from "./access.ts";
import type {
	ActionHandler,
	Handlers,
	Outcome,
	ReadHandler,
	WriteHandler,
} from "./handlers.ts";
import {
	type IdempotentUse,
	type Reservation,
	release,
	reserve,
	storeAnswer,
	toIdempotentUse,
} from "./idempotency.ts";
import { parseInput, type RawInput } from "./parse-input.ts";
import { recordChanges } from "./record-changes.ts";

export interface ExecuteOptions {
	/** The value of an `Idempotency-Key` header. It applies only to POST, and only to operations marked `replayed`. */
	readonly idempotencyKey?: string;
	/**
	 * Lets a read replica answer an operation that allows it. Called if it did, with the milliseconds whose changes the
	 * answer may lack.
	 */
	readonly onReplica?: ((stalenessMs: number) => void) | undefined;
	/** Refuses members and parameters that the operation does not know, instead of ignoring them. */
	readonly isStrict?: boolean;
}

/** Runs one operation. Throws an `ApiError` for every mistake of a caller. */
export interface Execute {
	<Id extends OperationId>(
		id: Id,
		input: Partial<ArgumentsOf<Id>>,
		caller: Caller,
		options?: ExecuteOptions,
	): Promise<ResponseOf<Id>>;
	/** With unparsed input, which is read only once the caller's permission is known. */
	(
		id: OperationId,
		input: () => Promise<RawInput>,
		caller: Caller,
		options?: ExecuteOptions,
	): Promise<unknown>;
}

export interface ExecuteDependencies {
	readonly store: Store;
	readonly handlers: Handlers;
	toContext(db: Db, caller: Caller, standing?: Standing): Context;
}

/**
 * The only way in for HTTP, dashboard, MCP and command line: permission → module → parse → transaction {idempotency
 * reservation → handler → audit → outbox} → response. A write looks at the module inside of its transaction.
 */
export function createExecute({
	store,
	handlers,
	toContext,
}: ExecuteDependencies): Execute {
	const execute = async (
		id: OperationId,
		rawInput: RawInput | (() => Promise<RawInput>),
		caller: Caller,
		options: ExecuteOptions = {},
	): Promise<unknown> => {
		const operation: Operation = operations[id];
		checkPermission(operation, caller);
		const isRead = operation.mode === "read";
		if (isRead) await checkModule(operation, caller, store.read);
		const { parsed, use } = await readInput(
			id,
			rawInput,
			caller,
			options,
		).catch(async (error) => {
			// A write checks the module in its transaction, which spares it a statement here.
			if (!isRead)
				await checkModule(operation, caller, store.read).catch((denied) => {
					denied.cause = error;
					throw denied;
				});
			throw error;
		});
		// The handler of an operation takes what the operation's schema gives. TypeScript cannot tell that of any id.
		const input = parsed as never;
		if (isRead) {
			const handle = handlers[id] as ReadHandler<never>;
			return store.readSnapshot(
				(db) => handle(input, toContext(db, caller)),
				operation.replica ? options.onReplica : undefined,
			);
		}
		return operation.mode === "write"
			? write(
					operation,
					handlers[id] as WriteHandler<never>,
					input,
					caller,
					use,
				)
			: act(
					operation,
					handlers[id] as ActionHandler<never>,
					input,
					caller,
					use,
				);
	};

	async function readInput(
		id: OperationId,
		rawInput: RawInput | (() => Promise<RawInput>),
		caller: Caller,
		{ idempotencyKey, isStrict = false }: ExecuteOptions,
	) {
		const raw = typeof rawInput === "function" ? await rawInput() : rawInput;
		const operation: Operation = operations[id];
		const parsed = parseInput(operation, raw, { isStrict });
		const { secret, method, replayed } = operation;
		const use =
			idempotencyKey !== undefined && method === "POST" && replayed
				? toIdempotentUse(
						idempotencyKey,
						{ id, secret },
						// The path as parsed: the same record in another spelling is the same request.
						{ params: parsed.params, body: raw.body },
						caller.apiKeyUuid,
					)
				: null;
		return { parsed, use };
	}

	async function write(
		operation: Operation,
		handle: WriteHandler<never>,
		input: never,
		caller: Caller,
		use: IdempotentUse | null,
	): Promise<unknown> {
		let deliveries = 0;
		const result = await store.write(async (db) => {
			const standing = await takeStanding(operation, caller, db);
			const context = toContext(db, caller, standing);
			const held = use && (await reserve(use, context));
			if (held && "replay" in held) return held.replay;
			const outcome = await handle(input, context);
			deliveries = await complete(outcome, held, context);
			return outcome.result;
		}, caller.companyUuid);
		if (deliveries > 0) store.wake();
		return result;
	}

	async function act(
		operation: Operation,
		handler: ActionHandler<never>,
		input: never,
		caller: Caller,
		use: IdempotentUse | null,
	): Promise<unknown> {
		const begun = await store.write(async (db) => {
			const standing = await takeStanding(operation, caller, db);
			const context = toContext(db, caller, standing);
			const held = use && (await reserve(use, context));
			if (held && "replay" in held) return held;
			return { held, plan: await handler.plan(input, context) };
		}, caller.companyUuid);
		if ("replay" in begun) return begun.replay;
		const { held, plan } = begun;
		try {
			const done = await handler.perform(
				plan,
				toContext(store.read, caller).ports,
				store,
			);
			let deliveries = 0;
			const result = await store.write(async (db) => {
				const context = toContext(db, caller);
				const outcome = await handler.finish(done, plan, context);
				deliveries = await complete(outcome, held, context);
				return outcome.result;
			}, caller.companyUuid);
			if (deliveries > 0) store.wake();
			return result;
		} catch (error) {
			if (held)
				await store.write((db) => release(held, db), caller.companyUuid);
			throw error;
		}
	}

	async function complete(
		outcome: Outcome<unknown>,
		held: Reservation | null,
		context: Context,
	): Promise<number> {
		const deliveries = await recordChanges(outcome.changes, context);
		if (held)
			await storeAnswer(held, outcome.result, context.db, context.cipher);
		return deliveries + (outcome.deliveries ?? 0);
	}

	return execute as Execute;
}
