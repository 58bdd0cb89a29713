import { setImmediate as nextTurn } from "node:timers/promises";
import type { EventId } from "@partnerwire/wire";
import {
	and,
	count,
	eq,
	gt,
	gte,
	inArray,
	lt,
	lte,
	type SQL,
} from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import type { DeliveryState } from "../../db/tables/webhooks.ts";

/**
 * The deliveries of one integration that a replay or a purge is for, read in order of sequence. Times are in
 * milliseconds since the epoch.
 */
export interface Selection {
	readonly integrationId: number;
	readonly states: readonly DeliveryState[];
	readonly eventIds: readonly EventId[];
	/** Created at or after the first and before the second. */
	readonly sinceAt: number | null;
	readonly untilAt: number | null;
	/** The last sequence that belongs to it: deliveries added later do not. */
	readonly endSequence: number;
}

/** How many sequence numbers one statement covers: a few milliseconds. */
export const WINDOW = 2000;

/** The condition for deliveries, joined with their events, whose sequence is in `(after, to]`. */
export function whenSelected(
	{ delivery, event }: Db["tables"],
	selection: Selection,
	after: number,
	to: number,
): SQL | undefined {
	const { sinceAt, untilAt } = selection;
	return and(
		eq(delivery.integrationId, selection.integrationId),
		gt(delivery.sequence, after),
		lte(delivery.sequence, to),
		inArray(delivery.state, [...selection.states]),
		inArray(event.eventId, [...selection.eventIds]),
		sinceAt === null ? undefined : gte(delivery.createdAt, sinceAt),
		untilAt === null ? undefined : lt(delivery.createdAt, untilAt),
	);
}

/** Counts a selection window by window, leaving the event loop to others in between. */
export async function countSelected(
	db: Db,
	selection: Selection,
): Promise<number> {
	const { delivery, event } = db.tables;
	let total = 0;
	for (let after = 0; after < selection.endSequence; after += WINDOW) {
		const to = Math.min(after + WINDOW, selection.endSequence);
		const [row] = await db.query
			.select({ rows: count() })
			.from(delivery)
			.innerJoin(event, eq(event.id, delivery.eventRowId))
			.where(whenSelected(db.tables, selection, after, to));
		total += row?.rows ?? 0;
		await nextTurn();
	}
	return total;
}
