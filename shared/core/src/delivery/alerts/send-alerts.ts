import { and, asc, eq, isNull, lt, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import type { AlertKind } from "../../db/tables/upkeep.ts";

/** An alert that is due. This process has it for `leaseMs`. */
export interface DueAlert {
	readonly id: number;
	readonly uuid: string;
	readonly kind: AlertKind;
	readonly companyUuid: string;
	readonly body: string;
	/** The attempts before this one. */
	readonly attempts: number;
	/** The fencing token: the result is written only under this lease. */
	readonly lease: number;
}

export interface TakeOptions {
	readonly nowMs: number;
	/** How long no other process takes it, by the database's clock. */
	readonly leaseMs: number;
}

const BATCH = 20;

/** Alerts that are due and that no process is sending. */
const selectDue = ({ query, tables, dialect }: Db, nowMs: number) => {
	const { alert, integration } = tables;
	return (
		query
			.select({
				id: alert.id,
				uuid: alert.uuid,
				kind: alert.kind,
				companyUuid: integration.companyUuid,
				body: alert.body,
				attempts: alert.attempts,
				lease: sql<number>`${alert.lease} + 1`,
			})
			.from(alert)
			.innerJoin(integration, eq(integration.id, alert.integrationId))
			.where(
				sql`${alert.dueAt} <= ${nowMs} and (${alert.leaseUntil} is null or ${alert.leaseUntil} < ${dialect.now()})`,
			)
			// In a fixed order, so that two processes that take the same alerts never wait for each other.
			.orderBy(asc(alert.id))
			.limit(BATCH)
	);
};

/** Takes the alerts that are due: another process sees them again only after `leaseMs`. */
export async function takeDueAlerts(
	store: Store,
	{ nowMs, leaseMs }: TakeOptions,
): Promise<DueAlert[]> {
	if ((await selectDue(store.read, nowMs)).length === 0) return [];
	return store.write(async (db) => {
		const { query, tables, dialect } = db;
		const { alert } = tables;
		const taken: DueAlert[] = [];
		for (const due of await selectDue(db, nowMs)) {
			const rows = await query
				.update(alert)
				.set({
					lease: due.lease,
					leaseUntil: sql`${dialect.now()} + ${leaseMs}`,
					attempts: due.attempts + 1,
				})
				// If another process took it meanwhile, its lease has a higher number.
				.where(and(eq(alert.id, due.id), eq(alert.lease, due.lease - 1)))
				.returning({ id: alert.id });
			if (rows.length > 0) taken.push(due);
		}
		return taken;
	});
}

/**
 * Plans the next attempt of a taken alert; null ends its attempts. Returns false and changes nothing if the lease has
 * ended and another process has taken the alert.
 */
export const planAlert = (
	store: Store,
	{ id, lease }: Pick<DueAlert, "id" | "lease">,
	dueAt: number | null,
): Promise<boolean> =>
	store.write(async ({ query, tables: { alert } }) => {
		const rows = await query
			.update(alert)
			.set({ dueAt, leaseUntil: null })
			.where(and(eq(alert.id, id), eq(alert.lease, lease)))
			.returning({ id: alert.id });
		return rows.length > 0;
	});

/** Removes alerts that were raised before `cutoffMs` and have no attempt left. */
export const removeOldAlerts = (
	store: Store,
	cutoffMs: number,
): Promise<unknown> =>
	store.write(({ query, tables: { alert } }) =>
		query
			.delete(alert)
			.where(sql`${lt(alert.createdAt, cutoffMs)} and ${isNull(alert.dueAt)}`),
	);
