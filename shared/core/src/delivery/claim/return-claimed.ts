import { and, eq } from "drizzle-orm";
import type { Store } from "../../db/db.ts";
import { returnAll } from "../sql/record.postgres.ts";
import type { ClaimedDelivery } from "./claim-due.ts";

/** Requeues claimed deliveries untried, as a worker does that is shutting down. */
export function returnClaimed(
	store: Store,
	claimed: readonly ClaimedDelivery[],
): Promise<void> {
	return store.write(async ({ query, tables: { delivery }, postgres }) => {
		if (postgres) return void (await returnAll(postgres, claimed));
		for (const { id, lease } of claimed) {
			await query
				.update(delivery)
				.set({ state: "pending", leaseUntil: null })
				.where(
					and(
						eq(delivery.id, id),
						eq(delivery.lease, lease),
						eq(delivery.state, "delivering"),
					),
				);
		}
	});
}
