/* The check of `/readyz` (docs/deploy.md). */
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "@partnerwire/contract";
import { type Core, checkWritable } from "@partnerwire/core";

/** Anybody may ask, so that a write serves all who ask until this time after it. */
const REMEMBERED_MS = 1000;
/** Who asks does not wait longer for the write. */
const ANSWER_MS = 4000;

/** Creates the check of `/readyz`: ready means that a write works, and the worker if this process has one. */
export function createReadiness(
	{ store, clock }: Core,
	isWorkerTroubled: () => boolean,
): () => Promise<void> {
	let checking: Promise<void> | undefined;
	const check = () => {
		if (checking) return checking;
		const forget = () =>
			setTimeout(() => {
				checking = undefined;
			}, REMEMBERED_MS).unref();
		checking = checkWritable(store, clock());
		void checking.then(forget, forget);
		return checking;
	};
	return async () => {
		const late = sleep(ANSWER_MS, undefined, { ref: false }).then(() => {
			throw new Error(`no write within ${ANSWER_MS / 1000} s`);
		});
		await Promise.race([check(), late]).catch((cause: unknown) => {
			throw notReady("the database takes no writes; the log says why", cause);
		});
		if (isWorkerTroubled())
			throw notReady("the worker cannot record and claim deliveries");
	};
}

const notReady = (why: string, cause?: unknown) =>
	new ApiError("internal_error", `not ready: ${why}`, {
		status: 503,
		retryAfterS: 1,
		cause,
	});
