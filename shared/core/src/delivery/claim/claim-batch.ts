import type { EventId } from "@partnerwire/wire";
import type { Db, PostgresStatements } from "../../db/db.ts";
import { type TakenHead, takeHeads } from "../sql/claim.postgres.ts";
import { lockFreeIntegrations } from "../sql/lock-integrations.ts";
import type { ClaimedDelivery } from "./claim-due.ts";
import { readUses } from "./claim-groups.ts";
import { type ClaimOptions, type ClaimRoom, roomOf } from "./claim-room.ts";
import {
	type ClaimedIntegration,
	readClaimable,
} from "./claimed-integrations.ts";
import { resetTokenBucket, spendTokens, tokensOf } from "./release-rate.ts";

/** An integration, and the number of its deliveries that may still be claimed. */
interface Claimable {
	readonly integration: ClaimedIntegration;
	room: number;
	claimed: number;
}

/**
 * Claims for all integrations of a group in a few statements (PostgreSQL); `claimOneByOne` does the same on SQLite. An
 * integration whose row another worker holds is skipped. While this worker holds the row, no other claims from it, so
 * the limits hold over all workers.
 */
export async function claimBatch(
	db: Db,
	run: PostgresStatements,
	due: readonly number[],
	o: ClaimOptions & ClaimRoom,
): Promise<ClaimedDelivery[]> {
	const all = await lockAll(db, run, due, o);
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
		const heads = await takeHeads(run, wanted, o);
		const counts = new Map<number, number>();
		for (const head of heads) {
			const claimable = all.get(head.integration_id) as Claimable;
			claimable.claimed++;
			claimable.room--;
			counts.set(
				head.integration_id,
				(counts.get(head.integration_id) ?? 0) + 1,
			);
			claimed.push(toClaimed(head, claimable.integration));
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
	run: PostgresStatements,
	due: readonly number[],
	o: ClaimOptions & ClaimRoom,
): Promise<Map<number, Claimable>> {
	const free = await lockFreeIntegrations(db, due);
	if (free.length === 0) return new Map();
	// Read after the lock, so that it sees the last holder's changes.
	const integrations = await readClaimable(db, free);
	const uses = o.across && (await readUses(run, free, o.across));
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

const toClaimed = (
	head: TakenHead,
	integration: ClaimedIntegration,
): ClaimedDelivery => ({
	id: head.id,
	uuid: head.uuid,
	lane: head.lane,
	sequence: head.sequence,
	attempts: head.attempts,
	attemptsBefore: head.attempts_before,
	lease: head.lease,
	integration,
	eventId: head.event_id as EventId,
	userUuid: head.user_uuid,
	entity: head.entity,
	configuration: head.configuration,
});
