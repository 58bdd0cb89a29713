import { eq, inArray, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";

/** The error recorded for a delivery whose integration was deleted while it waited. */
export const WAS_DELETED = "the integration was deleted";

/** Drops all deliveries under way: there are no more than workers can hold. Their results will not be written. */
export const dropUnderWay = (db: Db, integrationId: number, nowMs: number) =>
	drop(db, integrationId, nowMs, (state) => sql`${state} = 'delivering'`);

/** Records up to `most` unfinished deliveries of an integration as dropped. Returns the number. */
export const dropUnfinished = (
	db: Db,
	integrationId: number,
	{ most, nowMs }: { most: number; nowMs: number },
): Promise<number> =>
	drop(
		db,
		integrationId,
		nowMs,
		(state) => sql`${state} in ('pending', 'delivering') limit ${most}`,
	);

async function drop(
	{ query, tables: { delivery, integration } }: Db,
	integrationId: number,
	nowMs: number,
	which: (state: typeof delivery.state) => SQL,
): Promise<number> {
	const found = query
		.select({ id: delivery.id })
		.from(delivery)
		.where(
			sql`${delivery.integrationId} = ${integrationId} and ${which(delivery.state)}`,
		);
	const dropped = await query
		.update(delivery)
		.set({
			state: "dropped",
			ready: false,
			leaseUntil: null,
			finishedAt: nowMs,
			lastError: WAS_DELETED,
		})
		.where(inArray(delivery.id, found))
		.returning({ id: delivery.id });
	await query
		.update(integration)
		.set({ settled: sql`${integration.settled} + ${dropped.length}` })
		.where(eq(integration.id, integrationId));
	return dropped.length;
}
