import type { Db, Store } from "../db/db.ts";
import {
	type ClaimedDelivery,
	type ClaimOptions,
	type ClaimRoom,
	claimIn,
	isAnythingDue,
} from "./claim/claim-due.ts";
import { createFindDue } from "./claim/due-integrations.ts";
import {
	type AttemptOutcome,
	recordAttemptsIn,
} from "./record/record-attempts.ts";

export interface RecordAndClaimOptions extends ClaimOptions {
	/** What may be claimed, one kind of integrations after the other. */
	readonly rooms: readonly ClaimRoom[];
}

export interface RecordAndClaimResult {
	/** What was claimed for each of the rooms. */
	readonly claimed: readonly ClaimedDelivery[][];
	/** Results that are to be given again: other transactions hold their rows. */
	readonly later: readonly AttemptOutcome[];
}

/**
 * Settles what was attempted and then claims what is next, also the heads that the results let go: in one transaction on
 * SQLite, where a commit is dear; in two on PostgreSQL, where it holds integrations that other workers want.
 */
export async function recordAndClaim(
	store: Store,
	settled: readonly AttemptOutcome[],
	{ rooms, ...options }: RecordAndClaimOptions,
): Promise<RecordAndClaimResult> {
	const claims = rooms.map((room) => ({ ...options, ...room }));
	const settleNow = (db: Db) => recordAttemptsIn(db, settled, options.nowMs);
	const isApart = store.read.postgres !== null && settled.length > 0;
	const before = isApart ? await store.write(settleNow) : undefined;
	if (
		(before || settled.length === 0) &&
		!(await isAnyDue(store.readUnsynced, claims))
	)
		return { claimed: [], later: before?.later ?? [] };
	return store.write(async (db) => {
		const { later } = before ?? (await settleNow(db));
		return { claimed: await claimAll(db, claims, later), later };
	});
}

async function claimAll(
	db: Db,
	claims: readonly (ClaimOptions & ClaimRoom)[],
	later: readonly AttemptOutcome[],
): Promise<ClaimedDelivery[][]> {
	const claimed: ClaimedDelivery[][] = [];
	const findDue = createFindDue(db);
	for (const claim of claims) {
		const room = {
			...claim,
			...(claim.across && withLater(claim.across, later)),
		};
		claimed.push(claim.limit > 0 ? await claimIn(db, room, findDue) : []);
	}
	return claimed;
}

/** What could not be settled is still under way, of this worker. */
const withLater = (
	across: NonNullable<ClaimRoom["across"]>,
	later: readonly AttemptOutcome[],
): Pick<ClaimRoom, "across"> => ({
	across: {
		...across,
		heldHere: (id) =>
			across.heldHere(id) +
			later.filter(({ delivery }) => delivery.integration.id === id).length,
	},
});

async function isAnyDue(
	db: Db,
	claims: readonly (ClaimOptions & ClaimRoom)[],
): Promise<boolean> {
	const findDue = createFindDue(db);
	for (const claim of claims)
		if (claim.limit > 0 && (await isAnythingDue(findDue, claim))) return true;
	return false;
}
