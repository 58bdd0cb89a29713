import type { EventId } from "@partnerwire/wire";
import type { Db, PostgresStatements } from "../../db/db.ts";
import {
	countUnderWay,
	type TakenHead,
	takeHeads,
} from "../sql/claim.postgres.ts";
import { lockFreeIntegrations } from "../sql/lock-integrations.ts";
import type {
	ClaimedDelivery,
	ClaimRoom,
	ClaimWithRooms,
} from "./claim-due.ts";
import { countElsewhere } from "./claim-groups.ts";
import {
	type ClaimedIntegration,
	readClaimable,
} from "./claimed-integrations.ts";
import { resetTokenBucket, spendTokens, tokensOf } from "./release-rate.ts";

/** What may still be claimed of an integration. */
interface Claimable {
	readonly integration: ClaimedIntegration;
	room: number;
	claimed: number;
}

/**
 * What `claimIn` does integration by integration, in a few statements for all. An integration whose row another worker
 * holds is passed over; while this one holds it, nobody else claims of it, so that the bounds hold over all workers.
 */
export async function claimBatch(
	db: Db,
	run: PostgresStatements,
	due: readonly number[],
	o: ClaimWithRooms,
): Promise<ClaimedDelivery[]> {
	const all = await lockAll(db, run, due, o);
	const claimed: ClaimedDelivery[] = [];
	// Evenly first; then what some left over goes to those that want more.
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
			const one = all.get(head.integration_id) as Claimable;
			one.claimed++;
			one.room--;
			counts.set(
				head.integration_id,
				(counts.get(head.integration_id) ?? 0) + 1,
			);
			claimed.push(toClaimed(head, one.integration));
		}
		wanting = wanting.filter(
			({ integration: { id }, room }) =>
				room >= 1 && counts.get(id) === wanted.get(id),
		);
	}
	for (const { integration, claimed } of all.values())
		if (claimed > 0) await spendTokens(db, integration, claimed, o.nowMs);
	// Not by key: a worker goes on after the last.
	const places = new Map(due.map((id, index) => [id, index]));
	const placeOf = ({ integration }: ClaimedDelivery) =>
		places.get(integration.id) as number;
	return claimed.sort((a, b) => placeOf(a) - placeOf(b));
}

async function lockAll(
	db: Db,
	run: PostgresStatements,
	due: readonly number[],
	o: ClaimWithRooms,
): Promise<Map<number, Claimable>> {
	const free = await lockFreeIntegrations(db, due);
	if (free.length === 0) return new Map();
	// After the lock, so that it is what the last holder left.
	const integrations = await readClaimable(db, free);
	const underWay = o.across ? await countUnderWay(run, free) : new Map();
	const all = new Map<number, Claimable>();
	// In the order in which they were found: going round, nobody is always last.
	for (const id of due) {
		const row = integrations.get(id);
		if (!row) continue;
		const room = Math.min(
			o.roomOf(id),
			roomAcross(id, underWay.get(id) ?? 0, o.across),
			tokensOf(row, o.nowMs),
		);
		if (room >= 1) all.set(id, { integration: row, room, claimed: 0 });
		else await resetTokenBucket(db, row, o.nowMs);
	}
	return all;
}

/** While other workers have deliveries of the integration, all of them together have no more than may be under way. */
function roomAcross(
	id: number,
	underWay: number,
	across: ClaimRoom["across"],
): number {
	if (!across) return Number.POSITIVE_INFINITY;
	return countElsewhere(id, underWay, across) === 0
		? Number.POSITIVE_INFINITY
		: across.most - underWay;
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
