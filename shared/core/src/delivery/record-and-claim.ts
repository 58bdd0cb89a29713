import type { Db, Store } from "../db/db.ts";
import { type ClaimedDelivery, claimIn } from "./claim/claim-due.ts";
import type { ClaimOptions, ClaimRoom } from "./claim/claim-room.ts";
import { createFindDue } from "./claim/due-integrations.ts";
import {
	type AttemptOutcome,
	recordAttemptsIn,
} from "./record/record-attempts.ts";
import {
	isLockTimeout,
	lockFreeIntegrations,
	lockIntegrationsWithin,
} from "./sql/lock-integrations.ts";

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
		(await findFirstDue(store.readUnsynced, rooms, options.nowMs)) === undefined
	)
		return { claimed: [], later: before?.later ?? [] };
	const turn = await store.write(async (db) => {
		const { later } = before ?? (await recordNow(db));
		return {
			claimed: await claimAll(db, rooms, withUnrecorded(options, later)),
			later,
		};
	});
	if (!store.read.postgres || turn.claimed.flat().length > 0) return turn;
	const rest = withUnrecorded(options, turn.later);
	const claimed = await claimHeld(store, rooms, rest);
	return claimed ? { ...turn, claimed } : turn;
}

/** How long a claim waits for an integration that other transactions hold in turn. */
const HELD_MS = 250;

/**
 * Claims after a claim that found deliveries and could take none. A company whose writes never pause holds its
 * integrations in one transaction after the other: a claim that only passed over them would not deliver until the writes
 * end. So this one waits in the queue for one of them.
 */
async function claimHeld(
	store: Store,
	rooms: readonly ClaimRoom[],
	options: ClaimOptions,
): Promise<ClaimedDelivery[][] | undefined> {
	try {
		return await store.write(async (db) => {
			const id = await findFirstDue(db, rooms, options.nowMs);
			if (id === undefined) return undefined;
			// Not held: its limits, not a lock, kept the first claim from taking any.
			if ((await lockFreeIntegrations(db, [id])).length > 0) return undefined;
			await lockIntegrationsWithin(db, [id], HELD_MS);
			return claimAll(db, rooms, options);
		});
	} catch (error) {
		if (isLockTimeout(error)) return undefined;
		throw error;
	}
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

async function findFirstDue(
	db: Db,
	rooms: readonly ClaimRoom[],
	nowMs: number,
): Promise<number | undefined> {
	const findDue = createFindDue(db);
	for (const room of rooms)
		if (room.limit > 0)
			for await (const id of findDue({ ...room, nowMs })) return id;
	return undefined;
}
