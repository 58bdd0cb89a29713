import { sql } from "drizzle-orm";
import type { Store } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { reclaimAll } from "../sql/record.postgres.ts";

const expired = defineQuery(
	"expired_leases",
	({ query, tables: { delivery }, dialect }) =>
		query
			.select({ id: delivery.id })
			.from(delivery)
			.where(
				sql`${delivery.state} = 'delivering' and ${delivery.leaseUntil} < ${dialect.now()}`,
			)
			.limit(1),
);

/** Makes deliveries pending again whose lease has ended: their worker was killed or hangs. */
export async function reclaimExpired(store: Store): Promise<void> {
	if ((await expired(store.readUnsynced)).length === 0) return;
	await store.write(async (db) => {
		if (db.postgres) return void (await reclaimAll(db.postgres));
		const { query, tables, dialect } = db;
		const { delivery } = tables;
		await query
			.update(delivery)
			.set({ state: "pending", leaseUntil: null })
			.where(
				sql`${delivery.state} = 'delivering' and ${delivery.leaseUntil} < ${dialect.now()}`,
			);
	});
}
