// Claims due deliveries for a worker. `due-integrations.ts` finds their integrations, `claim-groups.ts` orders these, and
// `sql/claim.ts` has the statements.
import type { Db, Store } from "../../db/db.ts";
import { type Head, takeHeads } from "../sql/claim.ts";
import { lockFreeIntegrations } from "../sql/lock-integrations.ts";
import { groupDue, readUses } from "./claim-groups.ts";
import { type ClaimOptions, type ClaimRoom, roomOf } from "./claim-room.ts";
import {
	type ClaimedIntegration,
	readClaimable,
} from "./claimed-integrations.ts";
import { createFindDue, type FindDue } from "./due-integrations.ts";
import { resetTokenBucket, spendTokens, tokensOf } from "./release-rate.ts";

/** A delivery that this worker may attempt until its lease ends. */
export type ClaimedDelivery = Head & {
	readonly integration: ClaimedIntegration;
};

/**
 * Claims due lane heads: of each integration the oldest first, evenly over the integrations visited, and over all
 * integrations in turn (see `groupDue`). At-least-once: a claimed delivery that is not recorded comes back when its
 * lease ends.
 */
export async function claimDue(
	store: Store,
	options: ClaimOptions & ClaimRoom,
): Promise<ClaimedDelivery[]> {
	if (!(await isAnythingDue(createFindDue(store.readUnsynced), options)))
		return [];
	return store.write((db) => claimIn(db, options));
}

/**
 * Whether a claim would find anything: a claim that finds nothing costs a transaction. The claim looks again, because
 * much may have changed by then.
 */
async function isAnythingDue(
	findDue: FindDue,
	options: Parameters<FindDue>[0],
): Promise<boolean> {
	for await (const _ of findDue(options)) return true;
	return false;
}

/** `claimDue` inside a transaction. */
export async function claimIn(
	db: Db,
	o: ClaimOptions & ClaimRoom,
	findDue: FindDue = createFindDue(db),
): Promise<ClaimedDelivery[]> {
	const claimed: ClaimedDelivery[] = [];
	for await (const group of groupDue(db, findDue(o), o)) {
		const rest = { ...o, limit: o.limit - claimed.length };
		claimed.push(...(await claimGroup(db, group, rest)));
		if (claimed.length >= o.limit) break;
	}
	return claimed;
}

/** An integration, and the number of its deliveries that may still be claimed. */
interface Claimable {
	readonly integration: ClaimedIntegration;
	room: number;
	claimed: number;
}

/**
 * Claims for all integrations of a group. On PostgreSQL, an integration whose row another worker holds is skipped. While
 * this worker holds the row, no other claims from it, so the limits hold over all workers.
 */
async function claimGroup(
	db: Db,
	due: readonly number[],
	o: ClaimOptions & ClaimRoom,
): Promise<ClaimedDelivery[]> {
	const all = await lockAll(db, due, o);
	const claimed: ClaimedDelivery[] = [];
	// An even share first. What some do not use goes to those that want more.
	for (let wanting = [...all.values()]; wanting.length > 0; ) {
		const left = o.limit - claimed.length;
		if (left < 1) break;
		const share = Math.ceil(left / wanting.length);
		const wanted = new Map<number, number>();
		let spare = left;
		for (const { integration, room } of wanting) {
			const most = Math.min(share, room, spare);
			if (most < 1) break;
			wanted.set(integration.id, most);
			spare -= most;
		}
		const heads = await takeHeads(db, wanted, o);
		const counts = new Map<number, number>();
		for (const head of heads) {
			const { integrationId } = head;
			const claimable = all.get(integrationId) as Claimable;
			claimable.claimed++;
			claimable.room--;
			counts.set(integrationId, (counts.get(integrationId) ?? 0) + 1);
			const { integration } = claimable;
			// Not a spread: V8 would copy each head.
			claimed.push(Object.assign(head, { integration }));
		}
		wanting = wanting.filter(
			({ integration: { id }, room }) =>
				room >= 1 && counts.get(id) === wanted.get(id),
		);
	}
	for (const { integration, claimed } of all.values())
		if (claimed > 0) await spendTokens(db, integration, claimed, o.nowMs);
	// In the order of the group, not by key: the worker's next claim begins after the last integration.
	const places = new Map(due.map((id, index) => [id, index]));
	const placeOf = ({ integration }: ClaimedDelivery) =>
		places.get(integration.id) as number;
	return claimed.sort((a, b) => placeOf(a) - placeOf(b));
}

async function lockAll(
	db: Db,
	due: readonly number[],
	o: ClaimOptions & ClaimRoom,
): Promise<Map<number, Claimable>> {
	const free = await lockFreeIntegrations(db, due);
	if (free.length === 0) return new Map();
	// Read after the lock, so that it sees the last holder's changes.
	const integrations = await readClaimable(db, free);
	const uses =
		db.postgres && o.across && (await readUses(db.postgres, free, o.across));
	const all = new Map<number, Claimable>();
	// In the order in which they were found. Each claim begins elsewhere, so no integration is always last.
	for (const id of due) {
		const row = integrations.get(id);
		if (!row) continue;
		const use = uses?.get(id);
		const room = Math.min(
			roomOf(id, o),
			// The limit over all workers bounds only while other workers have deliveries of the integration.
			o.across && use?.byOthers
				? o.across.most - use.total
				: Number.POSITIVE_INFINITY,
			tokensOf(row, o.nowMs),
		);
		if (room >= 1) all.set(id, { integration: row, room, claimed: 0 });
		else await resetTokenBucket(db, row, o.nowMs);
	}
	return all;
}
