import { ApiError } from "@partnerwire/contract";
import { type Core, checkWritable } from "@partnerwire/core";

/** Anybody may ask, so that a write serves all who ask within this time. */
const REMEMBERED_MS = 1000;

/** Creates the check of `/readyz`: ready means that a write works, and the worker if this process has one. */
export function createReadiness(
	{ store, clock }: Core,
	isWorkerTroubled: () => boolean,
): () => Promise<void> {
	let checking: Promise<void> | undefined;
	const check = () => {
		if (checking) return checking;
		checking = checkWritable(store, clock());
		setTimeout(() => {
			checking = undefined;
		}, REMEMBERED_MS).unref();
		return checking;
	};
	return async () => {
		await check().catch((cause: unknown) => {
			throw notReady("the database takes no writes", cause);
		});
		if (isWorkerTroubled())
			throw notReady("the worker cannot record and claim deliveries");
	};
}

const notReady = (why: string, cause?: unknown) =>
	new ApiError("internal_error", `not ready: ${why}; the log says more`, {
		status: 503,
		retryAfterS: 1,
		cause,
	});
