import { createHash } from "node:crypto";
import { ApiError, type OperationId } from "@partnerwire/contract";
import { eq, lt } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { insertRow } from "../db/insert-row.ts";
import type { Cipher } from "../secrets/cipher.ts";
import type { Context } from "./context.ts";
import type { RawInput } from "./parse-input.ts";

/** How long an answer is kept for replay (decisions §1). */
const KEPT_MS = 24 * 3600 * 1000;

/**
 * A reservation without an answer that is older than this was left by a process that died: an action is one attempt to
 * deliver, which ends after 40 seconds at the latest (the wire's `maxAttemptMs`).
 */
const ABANDONED_MS = 60_000;

const hash = (...parts: unknown[]) =>
	createHash("sha256").update(JSON.stringify(parts)).digest("base64url");

/** One use of an `Idempotency-Key`: the key within caller, operation and path, and the body that came with it. */
export interface IdempotentUse {
	readonly scope: string;
	readonly bodyHash: string;
	readonly secret: boolean;
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

/** Reserves the key inside the write's transaction; answers the stored answer where there is one. */
export async function reserve(
	use: IdempotentUse,
	{ db, nowMs, cipher }: Context,
): Promise<{ replay: unknown } | null> {
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
	if (isAbandoned) await release(use, db);
	if (!found || isAbandoned) {
		await insertRow(db, "idempotency", {
			scope: use.scope,
			bodyHash: use.bodyHash,
			createdAt: nowMs,
		});
		return null;
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

/** Stores the answer in the transaction that made it. */
export async function remember(
	use: IdempotentUse,
	answer: unknown,
	db: Db,
	cipher: Cipher,
): Promise<void> {
	const json = JSON.stringify(answer);
	const { idempotency } = db.tables;
	await db.query
		.update(idempotency)
		.set({ answer: use.secret ? cipher.encrypt(json, use.scope) : json })
		.where(eq(idempotency.scope, use.scope));
}

/** Frees the key of an action that failed: nothing is stored for 4xx and 5xx. */
export async function release(use: IdempotentUse, db: Db): Promise<void> {
	await db.query
		.delete(db.tables.idempotency)
		.where(eq(db.tables.idempotency.scope, use.scope));
}
