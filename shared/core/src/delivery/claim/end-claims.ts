// Makes claimed deliveries pending again. On PostgreSQL, those that another transaction holds are left out: they become
// pending when their lease ends.
import { and, type SQL, sql } from "drizzle-orm";
import type { Db, Store, WorkerLock } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import type { ClaimedDelivery } from "./claim-due.ts";

const makePending = ({ query, tables: { delivery }, dialect }: Db, keys: SQL) =>
	query
		.update(delivery)
		.set({ state: "pending", leaseUntil: null, workerId: null })
		.where(dialect.isFoundBy(delivery.id, sql`${keys}${dialect.skipLocked}`));

const requeueClaimed = defineQuery("requeue_claimed", (db) => {
	const { delivery } = db.tables;
	const claimed = db.dialect.rowsOf(sql.placeholder("claimed"), "claimed", {
		id: "bigint",
		lease: "bigint",
	});
	const keys = db.query
		.select({ id: delivery.id })
		.from(claimed)
		.innerJoin(delivery, sql`${delivery.id} = claimed.id`)
		.where(
			sql`${delivery.lease} = claimed.lease and ${delivery.state} = 'delivering'`,
		)
		.orderBy(delivery.id);
	return makePending(db, keys.getSQL());
});

/** Requeues claimed deliveries untried, as a worker does that is shutting down. */
export function returnClaimed(
	store: Store,
	claimed: readonly ClaimedDelivery[],
): Promise<void> {
	const leases = claimed.map(({ id, lease }) => ({ id, lease }));
	return store.write(async (db) => {
		await requeueClaimed(db, { claimed: JSON.stringify(leases) });
	});
}

const selectExpired = ({ query, tables: { delivery }, dialect }: Db) =>
	query
		.select({ id: delivery.id })
		.from(delivery)
		.where(
			sql`${delivery.state} = 'delivering' and ${delivery.leaseUntil} < ${dialect.now()}`,
		);

const findExpired = defineQuery("expired_leases", (db) =>
	selectExpired(db).limit(1),
);

const requeueExpired = defineQuery("requeue_expired", (db) =>
	makePending(db, selectExpired(db).getSQL()),
);

/** Requeues deliveries whose lease has ended: their worker was killed or hangs. */
export async function reclaimExpired(store: Store): Promise<void> {
	if ((await findExpired(store.readUnsynced)).length === 0) return;
	await store.write((db) => requeueExpired(db));
}

// Spelled as in the index of leases, which holds no other rows.
const isUnderWay = ({ delivery }: Db["tables"]) =>
	sql`${delivery.state} = 'delivering' and ${delivery.leaseUntil} > 0`;

const findWorkers = defineQuery("workers_with_claims", ({ query, tables }) => {
	const { delivery } = tables;
	return query
		.selectDistinct({ id: delivery.workerId })
		.from(delivery)
		.where(
			sql`${isUnderWay(tables)} and ${delivery.workerId} <> ${sql.placeholder("own")}`,
		);
});

const requeueOfWorkers = defineQuery("requeue_of_workers", (db) => {
	const { delivery } = db.tables;
	const keys = db.query
		.select({ id: delivery.id })
		.from(delivery)
		.where(
			and(
				isUnderWay(db.tables),
				db.dialect.isAmong(delivery.workerId, sql.placeholder("ids")),
			),
		);
	return makePending(db, keys.getSQL());
});

const adoptClaims = defineQuery("adopt_claims", ({ query, tables }) => {
	const { delivery } = tables;
	return query
		.update(delivery)
		.set({ workerId: sql`${sql.placeholder("toId")}` })
		.where(
			sql`${isUnderWay(tables)} and ${delivery.workerId} = ${sql.placeholder("fromId")}`,
		);
});

/** Takes the lock that shows other workers that this one lives. */
export const openWorkerLock = (
	store: Store,
	onFault: (error: unknown) => void,
): WorkerLock =>
	store.openWorkerLock({
		onFault,
		adopt: (fromId, toId) =>
			store.write(async (db) => {
				await adoptClaims(db, { fromId, toId });
			}),
	});

/** Requeues what workers had claimed that have died since. */
export async function reclaimFromDead(
	store: Store,
	lock: WorkerLock,
): Promise<void> {
	const rows = await findWorkers(store.readUnsynced, { own: lock.id ?? 0 });
	const ids = rows.flatMap(({ id }) => (id === null ? [] : [id]));
	await lock.releaseDead(ids, (dead) =>
		store.write((db) => requeueOfWorkers(db, { ids: db.dialect.toList(dead) })),
	);
}
