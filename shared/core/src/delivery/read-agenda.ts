import { eq, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";
import { nextTokenAt, tokensOf } from "./claim/release-rate.ts";
import { nextReplayAt, runningReplays } from "./replay/run-replays.ts";

/** Whether the queue has work at a given time, and when it has more. */
export interface Agenda {
	/** A delivery is due and may start now, or is under way. */
	readonly isBusy: boolean;
	/** A delivery or a replay is due but waits for its rate. */
	readonly isBound: boolean;
	/** The next time at which a delivery falls due, a lane is released, or a rate allows one more; null for none. */
	readonly nextAt: number | null;
}

/**
 * Each integration with its first due head, its first head that is due later, the first head whose lane is released,
 * and whether one is under way. One statement reads them all: between two, a worker can claim the due head, which
 * neither would then show.
 */
const selectAgenda = defineQuery(
	"agenda",
	({ query, tables: { integration, delivery }, dialect }: Db) => {
		const isOfIntegration = eq(delivery.integrationId, integration.id);
		const later = sql`> ${sql.placeholder("nowMs")}`;
		return query
			.select({
				integration,
				delivering: sql<
					number | null
				>`(select min(${delivery.id}) from ${delivery} where ${eq(dialect.unindexed(delivery.integrationId), integration.id)} and ${sql`${delivery.state} = 'delivering'`})`,
				oldestDue: sql<
					number | null
				>`(select min(${delivery.dueAt}) from ${delivery} where ${isOfIntegration} and ${sql`${delivery.ready} and ${delivery.state} = 'pending'`})`,
				nextDue: sql<
					number | null
				>`(select min(${delivery.dueAt}) from ${delivery} where ${isOfIntegration} and ${sql`${delivery.ready} and ${delivery.state} = 'pending' and ${delivery.dueAt} ${later}`})`,
				nextPass: sql<
					number | null
				>`(select min(${delivery.passAt}) from ${delivery} where ${isOfIntegration} and ${sql`${delivery.passAt} is not null and ${delivery.state} = 'pending' and ${delivery.passAt} ${later}`})`,
			})
			.from(integration);
	},
);

/**
 * Reads the work at `nowMs` over all integrations and replays. An emulated clock uses it to jump from one such time to
 * the next.
 */
export async function readAgenda(db: Db, nowMs: number): Promise<Agenda> {
	let isBusy = false;
	let isBound = false;
	const times: number[] = [];
	// Replays before deliveries: a replay that ends meanwhile has made its deliveries due.
	for (const { replay, isPaused } of await runningReplays(db)) {
		if (isPaused) continue;
		const at = nextReplayAt(replay, nowMs);
		if (at <= nowMs) isBusy = true;
		else {
			isBound = true;
			times.push(at);
		}
	}
	for (const row of await selectAgenda(db, { nowMs })) {
		const { integration } = row;
		if (row.delivering !== null) isBusy = true;
		if (integration.status !== "active" || integration.deletedAt !== null)
			continue;
		for (const at of [row.nextDue, row.nextPass])
			if (at !== null) times.push(Number(at));
		if (row.oldestDue === null || Number(row.oldestDue) > nowMs) continue;
		if (tokensOf(integration, nowMs) >= 1) isBusy = true;
		else {
			isBound = true;
			times.push(nextTokenAt(integration, nowMs));
		}
	}
	return {
		isBusy,
		isBound,
		nextAt: times.length > 0 ? Math.min(...times) : null,
	};
}
