import { pause } from "../common/time-limit.ts";
import type { Awaitable } from "../verify/platform-crypto.ts";

const BUSY_FOR_MS = 5_000;
const BUSY_PAUSE_MS = 10;
const SQLITE_BUSY = 5;

/** `errcode` is SQLite's number in the errors of `node:sqlite`. */
const isBusy = (error: unknown): boolean => {
	const { code, errcode } = error as { code?: unknown; errcode?: unknown };
	return String(code).startsWith("SQLITE_BUSY") || errcode === SQLITE_BUSY;
};

/**
 * Runs a statement. While another process writes, it tries again after a random pause: SQLite's own waiting would block the event
 * loop.
 */
export function untilFree<T>(call: () => T): Awaitable<T> {
	const retryUntil = async (endMs: number): Promise<T> => {
		for (;;) {
			await pause(1 + Math.random() * BUSY_PAUSE_MS);
			try {
				return call();
			} catch (error) {
				if (!isBusy(error) || performance.now() > endMs) throw error;
			}
		}
	};
	try {
		return call();
	} catch (error) {
		if (!isBusy(error)) throw error;
		return retryUntil(performance.now() + BUSY_FOR_MS);
	}
}
