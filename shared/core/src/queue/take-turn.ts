import type { Db, Store } from "../db/db.ts";
import {
	type ClaimedDelivery,
	type ClaimOptions,
	type ClaimRoom,
	claimIn,
	isAnythingDue,
} from "./claim-due.ts";
import { createFindDue } from "./due-integrations.ts";
import { type SettledAttempt, settleIn } from "./settle.ts";

export interface TurnOptions extends ClaimOptions {
	/** What may be claimed, one kind of integrations after the other. */
	readonly rooms: readonly ClaimRoom[];
}

export interface Turn {
	/** What was claimed for each of the rooms. */
	readonly claimed: readonly ClaimedDelivery[][];
	/** Results that are to be given again: other transactions hold their rows. */
	readonly later: readonly SettledAttempt[];
}

/**
 * Settles what was attempted and claims what is next in one transaction, so that both cost one commit and the heads that
 * the results let go are claimed at once.
 */
export async function takeTurn(
	store: Store,
	settled: readonly SettledAttempt[],
	{ rooms, ...options }: TurnOptions,
): Promise<Turn> {
	const claims = rooms.map((room) => ({ ...options, ...room }));
	if (settled.length === 0 && !(await isAnyDue(store.read, claims)))
		return { claimed: [], later: [] };
	return store.write(async (db) => {
		const { later } = await settleIn(db, settled, options.nowMs);
		const claimed: ClaimedDelivery[][] = [];
		const findDue = createFindDue(db);
		for (const claim of claims)
			claimed.push(claim.limit > 0 ? await claimIn(db, claim, findDue) : []);
		return { claimed, later };
	});
}

async function isAnyDue(
	db: Db,
	claims: readonly (ClaimOptions & ClaimRoom)[],
): Promise<boolean> {
	const findDue = createFindDue(db);
	for (const claim of claims)
		if (claim.limit > 0 && (await isAnythingDue(findDue, claim))) return true;
	return false;
}
