import type { Db, Store } from "../db/db.ts";
import {
	type ClaimedDelivery,
	claimIn,
	isAnythingDue,
} from "./claim/claim-due.ts";
import type { ClaimOptions, ClaimRoom } from "./claim/claim-room.ts";
import { createFindDue } from "./claim/due-integrations.ts";
import {
	type AttemptOutcome,
	recordAttemptsIn,
} from "./record/record-attempts.ts";

export interface RecordAndClaimOptions extends ClaimOptions {
	/** The limits of the claims, one for each speed class of integrations. */
	readonly rooms: readonly ClaimRoom[];
}

export interface RecordAndClaimResult {
	/** The deliveries claimed for each entry of `rooms`. */
	readonly claimed: readonly ClaimedDelivery[][];
	/** Results that could not be written because other transactions hold their rows. The worker passes them again. */
	readonly later: readonly AttemptOutcome[];
}

/**
 * Records the results of attempts, then claims the next deliveries, including the heads that the results made ready. On
 * SQLite, where a commit is expensive, both happen in one transaction. On PostgreSQL there are two, because the first
 * holds integrations that other workers want.
 */
export async function recordAndClaim(
	store: Store,
	results: readonly AttemptOutcome[],
	{ rooms, ...options }: RecordAndClaimOptions,
): Promise<RecordAndClaimResult> {
	const recordNow = (db: Db) => recordAttemptsIn(db, results, options.nowMs);
	const recordsFirst = store.read.postgres !== null && results.length > 0;
	const before = recordsFirst ? await store.write(recordNow) : undefined;
	if (
		(before || results.length === 0) &&
		!(await isAnyDue(store.readUnsynced, rooms, options.nowMs))
	)
		return { claimed: [], later: before?.later ?? [] };
	return store.write(async (db) => {
		const { later } = before ?? (await recordNow(db));
		return {
			claimed: await claimAll(db, rooms, withUnrecorded(options, later)),
			later,
		};
	});
}

async function claimAll(
	db: Db,
	rooms: readonly ClaimRoom[],
	options: ClaimOptions,
): Promise<ClaimedDelivery[][]> {
	const claimed: ClaimedDelivery[][] = [];
	const findDue = createFindDue(db);
	for (const room of rooms)
		claimed.push(
			room.limit > 0 ? await claimIn(db, { ...options, ...room }, findDue) : [],
		);
	return claimed;
}

/** Counts the results that could not be written as held by this worker: their deliveries are still under way. */
const withUnrecorded = (
	{ across, ...options }: ClaimOptions,
	later: readonly AttemptOutcome[],
): ClaimOptions => {
	if (!across) return options;
	const unrecorded = later.map(({ delivery }) => delivery);
	return {
		...options,
		across: { ...across, heldHere: [...across.heldHere, ...unrecorded] },
	};
};

async function isAnyDue(
	db: Db,
	rooms: readonly ClaimRoom[],
	nowMs: number,
): Promise<boolean> {
	const findDue = createFindDue(db);
	for (const room of rooms)
		if (room.limit > 0 && (await isAnythingDue(findDue, { ...room, nowMs })))
			return true;
	return false;
}
