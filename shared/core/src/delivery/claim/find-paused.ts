import { and, not, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { maySend } from "../sql/may-send.ts";

const pausedAmong = defineQuery(
	"paused_among",
	({ query, tables: { integration }, dialect }) =>
		query
			.select({ id: integration.id })
			.from(integration)
			.where(
				and(
					dialect.isAmong(integration.id, sql.placeholder("ids")),
					not(maySend(integration)),
				),
			),
);

/** Finds the integrations among `ids` that may not send now: a worker then returns their deliveries untried. */
export async function findPaused(
	db: Db,
	ids: readonly number[],
): Promise<number[]> {
	if (ids.length === 0) return [];
	const rows = await pausedAmong(db, { ids: db.dialect.toList(ids) });
	return rows.map(({ id }) => id);
}
