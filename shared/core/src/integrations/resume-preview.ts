import { NIL_UUID, type ResumePreview } from "@partnerwire/contract";
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { Handlers } from "../execute/handlers.ts";
import { toIso } from "../values/times.ts";
import { readIntegration } from "./integration-view.ts";

/** Selects deliveries with the columns of a preview. */
const selectReleased = ({ query, tables: { delivery, event } }: Db) =>
	query
		.select({
			uuid: delivery.uuid,
			event_id: event.eventId,
			createdAt: delivery.createdAt,
		})
		.from(delivery)
		.innerJoin(event, eq(event.id, delivery.eventRowId))
		.limit(1)
		.$dynamic();

type Released = Awaited<ReturnType<typeof selectReleased>>[number];

const toReleased = (row: Released | undefined): ResumePreview["first"] => {
	if (!row) return null;
	const { createdAt, ...named } = row;
	return { ...named, created_at: toIso(createdAt) };
};

/** The head that is due first, by the index that claims use. */
async function readFirst(db: Db, ofIntegration: SQL) {
	const { delivery } = db.tables;
	const [row] = await selectReleased(db)
		.where(
			and(
				ofIntegration,
				sql`${delivery.ready} and ${delivery.state} = 'pending'`,
			),
		)
		.orderBy(asc(delivery.dueAt), asc(delivery.id));
	return toReleased(row);
}

/** The newest unfinished delivery, found in the index of unfinished ones alone. */
async function readLast(db: Db, ofIntegration: SQL) {
	const { delivery } = db.tables;
	const [newest] = await db.query
		.select({ sequence: sql<number | null>`max(${delivery.sequence})` })
		.from(delivery)
		.where(
			and(
				ofIntegration,
				sql`${delivery.state} in ('pending', 'delivering') and ${delivery.lane} >= ${NIL_UUID}`,
			),
		);
	const [row] = await selectReleased(db).where(
		and(ofIntegration, eq(delivery.sequence, newest?.sequence ?? -1)),
	);
	return toReleased(row);
}

/** Shows what a resume would send, and how long it would take (docs/decisions.md#preview-of-a-resume). */
export const resumePreviewHandlers = {
	previewIntegrationResume: async ({ params, query }, context) => {
		const { db } = context;
		const { row } = await readIntegration(params.integration_id, context);
		const held = row.status === "paused" ? row.sequence - row.settled : 0;
		const rate = Math.min(
			query.rate_per_second,
			row.maxPerSecond ?? Number.POSITIVE_INFINITY,
		);
		const ofIntegration = eq(db.tables.delivery.integrationId, row.id);
		return {
			held,
			first: held > 0 ? await readFirst(db, ofIntegration) : null,
			last: held > 0 ? await readLast(db, ofIntegration) : null,
			rate_per_second: rate,
			seconds: Math.ceil(held / rate),
		};
	},
} satisfies Partial<Handlers>;
