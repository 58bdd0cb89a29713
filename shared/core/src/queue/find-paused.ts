import { eq, sql } from "drizzle-orm";
import { findPausedAmong } from "../db/claim.postgres.ts";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";
import { maySend } from "./may-send.ts";

const statusOf = defineQuery(
	"integration_status",
	({ query, tables: { integration } }) =>
		query
			.select({
				status: integration.status,
				deletedAt: integration.deletedAt,
				relanedTo: integration.relanedTo,
				ordering: integration.ordering,
			})
			.from(integration)
			.where(eq(integration.id, sql.placeholder("id"))),
);

/** Those of some integrations, by key, whose deliveries are not to be attempted now. */
export async function findPaused(
	db: Db,
	ids: readonly number[],
): Promise<number[]> {
	if (db.postgres)
		return ids.length === 0 ? [] : findPausedAmong(db.postgres, ids);
	const paused: number[] = [];
	for (const id of ids) {
		const [row] = await statusOf(db, { id });
		if (!row || !maySend(row)) paused.push(id);
	}
	return paused;
}
