import { and, asc, eq, sql } from "drizzle-orm";
import type { Db, PostgresStatements } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { findDue } from "../sql/claim.postgres.ts";
import { maySend } from "./may-send.ts";

/** The next integration by key that has heads of lanes waiting, when the first of them is due, and whether it may send. */
const nextWaiting = defineQuery(
	"next_waiting",
	({ query, tables: { delivery, integration } }) => {
		const isActive = query
			.select({ isActive: maySend(integration) })
			.from(integration)
			.where(eq(integration.id, delivery.integrationId));
		return query
			.select({
				id: delivery.integrationId,
				dueAt: delivery.dueAt,
				isActive: sql<boolean>`${isActive}`.mapWith(Boolean),
			})
			.from(delivery)
			.where(
				and(
					// Spelled as in the partial index, without which SQLite does not use it.
					sql`${delivery.ready} and ${delivery.state} = 'pending'`,
					sql`${delivery.integrationId} > ${sql.placeholder("after")}`,
				),
			)
			.orderBy(asc(delivery.integrationId), asc(delivery.dueAt))
			.limit(1);
	},
);

export interface DueOptions {
	readonly nowMs: number;
	/** Begins after this integration and goes round, so that nobody is always last. */
	readonly after: number;
	/** How many deliveries of an integration may be claimed; those without room are passed over. */
	readonly roomOf: (integrationId: number) => number;
}

/**
 * The keys of active integrations that have a due head and room for it, each once. It steps from one to the next through
 * the index of waiting heads: what has nothing to send, or all of a million rows of one integration, costs nothing.
 */
export type FindDue = (options: DueOptions) => AsyncGenerator<number>;

/** On PostgreSQL, several questions of one moment share an answer: they are a claim's, one for each pace of integrations. */
export const createFindDue = (db: Db): FindDue =>
	db.postgres
		? createTogether(db.postgres)
		: (options) => stepOneByOne(db, options);

async function* stepOneByOne(
	db: Db,
	{ nowMs, after, roomOf }: DueOptions,
): AsyncGenerator<number> {
	for (const [from, to] of [
		[after, Number.POSITIVE_INFINITY],
		[0, after],
	] as const) {
		let [next] = await nextWaiting(db, { after: from });
		while (next && next.id <= to) {
			if (next.isActive && next.dueAt <= nowMs && roomOf(next.id) >= 1)
				yield next.id;
			[next] = await nextWaiting(db, { after: next.id });
		}
	}
}

/** Integrations that one statement looks for. */
const STEPS = 256;
const LAST = Number.MAX_SAFE_INTEGER;

/** The same on PostgreSQL: of few integrations all at once, of many so many steps to a statement. */
function createTogether(run: PostgresStatements): FindDue {
	let first: Promise<number[]> | undefined;
	return async function* ({ nowMs, after, roomOf }) {
		first ??= findDue(run, { after: 0, to: LAST, nowMs, most: STEPS });
		const few = await first;
		const found =
			few.length < STEPS
				? [
						...few.filter((id) => id > after),
						...few.filter((id) => id <= after),
					]
				: stepTogether(run, nowMs, after);
		for await (const id of found) if (roomOf(id) >= 1) yield id;
	};
}

async function* stepTogether(
	run: PostgresStatements,
	nowMs: number,
	begin: number,
): AsyncGenerator<number> {
	for (const [from, to] of [
		[begin, LAST],
		[0, begin],
	] as const) {
		for (let after = from; after < to; ) {
			const ids = await findDue(run, { after, to, nowMs, most: STEPS });
			yield* ids;
			if (ids.length < STEPS) break;
			after = ids.at(-1) as number;
		}
	}
}
