import type { Db, Store } from "../db/db.ts";
import {
	type ClaimedDelivery,
	type ClaimOptions,
	claimIn,
	isAnythingDue,
} from "./claim-due.ts";
import { type SettledAttempt, settleIn } from "./settle.ts";

export interface TurnOptions extends Omit<ClaimOptions, "limit" | "roomOf"> {
	/** What may be claimed, one kind of integrations after the other. */
	readonly rooms: readonly Pick<ClaimOptions, "limit" | "roomOf">[];
}

/**
 * Settles what was attempted and claims what is next in one transaction, so that both cost one commit and the heads that
 * the results let go are claimed at once. Answers what was claimed.
 */
export async function takeTurn(
	store: Store,
	settled: readonly SettledAttempt[],
	{ rooms, ...options }: TurnOptions,
): Promise<ClaimedDelivery[]> {
	const claims = rooms
		.filter(({ limit }) => limit > 0)
		.map((room) => ({ ...options, ...room }));
	if (settled.length === 0 && !(await isAnyDue(store.read, claims))) return [];
	return store.write(async (db) => {
		await settleIn(db, settled, options.nowMs);
		const claimed: ClaimedDelivery[] = [];
		for (const claim of claims) claimed.push(...(await claimIn(db, claim)));
		return claimed;
	});
}

async function isAnyDue(db: Db, claims: readonly ClaimOptions[]) {
	for (const claim of claims) if (await isAnythingDue(db, claim)) return true;
	return false;
}
