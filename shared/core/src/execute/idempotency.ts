import { createHash } from "node:crypto";
import { ApiError, type OperationId } from "@partnerwire/contract";
import { and, eq, lt } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import { insertRow } from "../db/insert-row.ts";
import { requireSameKey } from "../secrets/check-key.ts";
import type { Cipher } from "../secrets/cipher.ts";
import type { RawInput } from "./parse-input.ts";

/** How long an answer is kept for replay (decisions §1). */
const KEPT_MS = 24 * 3600 * 1000;

/**
 * A reservation without an answer that is older than this was left by a process that died: an action is one attempt to
 * deliver, which ends after 40 seconds at the latest (the wire's `maxAttemptMs`); the clocks of two nodes differ by 60
 * seconds at most; and the action's transactions may wait for others of the company.
 */
const ABANDONED_MS = 120_000;

const hash = (...parts: unknown[]) =>
	createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

/** One use of an `Idempotency-Key`: the key within caller, operation and path, and the body that came with it. */
export interface IdempotentUse {
	readonly scope: string;
	readonly bodyHash: string;
	readonly secret: boolean;
}

/**
 * A use that this request has reserved. The time of its row is its owner's token: whoever takes an abandoned reservation
 * over writes a later one.
 */
export interface Reservation extends IdempotentUse {
	readonly reservedAt: number;
}

export function toIdempotentUse(
	key: string,
	operation: { id: OperationId; secret: boolean },
	input: RawInput,
	apiKeyUuid: string | null,
): IdempotentUse {
	if (key === "" || key.length > 255) {
		throw new ApiError(
			"validation_error",
			"Idempotency-Key must have 1 to 255 characters",
		);
	}
	return {
		scope: hash(apiKeyUuid, operation.id, input.params, key),
		bodyHash: hash(input.body),
		secret: operation.secret,
	};
}

/** Reserves the key inside the write's transaction, or answers the stored answer where there is one. */
export async function reserve(
	use: IdempotentUse,
	{ db, nowMs, cipher }: Context,
): Promise<{ replay: unknown } | Reservation> {
	if (use.secret) await requireSameKey(db, cipher);
	const { idempotency } = db.tables;
	await db.query
		.delete(idempotency)
		.where(lt(idempotency.createdAt, nowMs - KEPT_MS));
	const [found] = await db.query
		.select()
		.from(idempotency)
		.where(eq(idempotency.scope, use.scope));
	const isAbandoned =
		found?.answer === null && found.createdAt < nowMs - ABANDONED_MS;
	if (isAbandoned) await release({ ...use, reservedAt: found.createdAt }, db);
	if (!found || isAbandoned) {
		await insertRow(db, "idempotency", {
			scope: use.scope,
			bodyHash: use.bodyHash,
			createdAt: nowMs,
		});
		return { ...use, reservedAt: nowMs };
	}
	if (found.bodyHash !== use.bodyHash) {
		throw new ApiError(
			"conflict",
			"this Idempotency-Key was used with another body",
		);
	}
	if (found.answer === null) {
		throw new ApiError(
			"conflict",
			"the first request with this Idempotency-Key is still running",
		);
	}
	const json = use.secret
		? cipher.decrypt(found.answer, use.scope)
		: found.answer;
	return { replay: JSON.parse(json) };
}

const isOf = ({ idempotency }: Db["tables"], held: Reservation) =>
	and(
		eq(idempotency.scope, held.scope),
		eq(idempotency.createdAt, held.reservedAt),
	);

/** Stores the answer in the transaction that made it. Throws a 409, which undoes that, when another request has taken over. */
export async function storeAnswer(
	held: Reservation,
	answer: unknown,
	db: Db,
	cipher: Cipher,
): Promise<void> {
	// An action's answer is stored in another transaction than the one that reserved.
	if (held.secret) await requireSameKey(db, cipher);
	const json = JSON.stringify(answer);
	const { idempotency } = db.tables;
	const kept = await db.query
		.update(idempotency)
		.set({ answer: held.secret ? cipher.encrypt(json, held.scope) : json })
		.where(isOf(db.tables, held))
		.returning({ scope: idempotency.scope });
	if (kept.length === 0)
		throw new ApiError(
			"conflict",
			"this request took so long that another one with its Idempotency-Key took its place",
		);
}

/** Frees the key of an action that failed, unless another request has it by now: nothing is stored for 4xx and 5xx. */
export async function release(held: Reservation, db: Db): Promise<void> {
	await db.query.delete(db.tables.idempotency).where(isOf(db.tables, held));
}
