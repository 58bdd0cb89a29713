import { createHash } from "node:crypto";
import { ApiError, type OperationId } from "@partnerwire/contract";
import { and, eq, lt } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import { insertRow } from "../db/insert-row.ts";
import { requireSameKey } from "../secrets/check-key.ts";
import type { Cipher } from "../secrets/cipher.ts";
import { sortMembers } from "../values/sort-members.ts";
import type { RawInput } from "./parse-input.ts";

/** How long an answer is kept for replay (docs/decisions.md#idempotency). */
const KEPT_MS = 24 * 3600 * 1000;

/**
 * A reservation that is older than this and has no answer was left by a process that died. An action makes one attempt
 * to deliver, which ends within 40 seconds (the HTTP client's `maxAttemptMs`). The clocks of two nodes differ by at
 * most 60 seconds. The rest is for transactions that wait for others of the company.
 */
const ABANDONED_MS = 120_000;

const hash = (...parts: unknown[]) =>
	createHash("sha256")
		.update(JSON.stringify(parts, sortMembers))
		.digest("base64url");

/** One use of an `Idempotency-Key`: the key within caller, operation and path, and the request's body. */
export interface IdempotentUse {
	readonly scope: string;
	readonly bodyHash: string;
	readonly secret: boolean;
}

/**
 * A use that this request has reserved. The row's time identifies the owner: a request that takes over an abandoned
 * reservation writes a later time.
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

/** Reserves the key inside the write's transaction. If there is a stored answer, returns that. */
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
			{ retryAfterS: 1 },
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

/**
 * Stores the answer in the transaction that made it. Throws a 409 if another request has taken over, which rolls the
 * transaction back.
 */
export async function storeAnswer(
	held: Reservation,
	answer: unknown,
	db: Db,
	cipher: Cipher,
): Promise<void> {
	// An action stores its answer in another transaction than its reservation, so the key is checked again.
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

/** Frees the key of a failed action, unless another request has taken over: 4xx and 5xx are not stored. */
export async function release(held: Reservation, db: Db): Promise<void> {
	await db.query.delete(db.tables.idempotency).where(isOf(db.tables, held));
}
