import type { WebhookPurge, WebhookPurgeResult } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Change } from "../../context/change.ts";
import { toAuditChanges } from "../../context/change.ts";
import type { Context } from "../../context/context.ts";
import type { Db } from "../../db/db.ts";
import { countSelected } from "../../delivery/replay/selection.ts";
import { purgeSelected } from "../../delivery/retention/purge-selected.ts";
import { defineActionHandler, type Handlers } from "../../execute/handlers.ts";
import { recordChanges } from "../../execute/record-changes.ts";
import { type FoundSelection, findSelection } from "./find-selection.ts";

/** How long one call removes deliveries. To remove more, the client calls again. */
const CALL_MS = 2000;

interface Plan extends FoundSelection {
	readonly body: WebhookPurge;
	/** Writes the audit entry in the caller's name: with the first batch, and updates it with each further one. */
	readonly audit: (db: Db, purged: number) => Promise<void>;
}

/** The stored state of a status: held deliveries are pending ones of a paused integration. */
const toState = (status: WebhookPurge["statuses"][number]) =>
	status === "held" ? "pending" : status;

function createAudit(
	{ statuses, since, until, event_ids }: WebhookPurge,
	integrationUuid: string,
	context: Context,
): Plan["audit"] {
	const uuid = context.newUuid();
	const toChange = (purged: number): Change => ({
		entity: "integration",
		uuid: integrationUuid,
		action: "purged",
		before: null,
		after: { deliveries: purged, statuses, since, until, event_ids },
	});
	return async (db, purged) => {
		const { audit } = db.tables;
		// Asked of the database, because a first batch may have been rolled back and run again.
		const written = await db.query
			.update(audit)
			.set({ changes: toAuditChanges(toChange(purged)) })
			.where(eq(audit.uuid, uuid))
			.returning({ uuid: audit.uuid });
		if (written.length === 0)
			await recordChanges([toChange(purged)], {
				...context,
				db,
				newUuid: () => uuid,
			});
	};
}

/** The handler that removes deliveries on request (docs/decisions.md#purge). */
export const purgeHandlers = {
	purgeWebhookEvents: defineActionHandler("purgeWebhookEvents", {
		async plan({ body }, context): Promise<Plan> {
			const found = await findSelection(
				body,
				body.statuses.map(toState),
				context,
			);
			const audit = createAudit(body, found.integration.uuid, context);
			return { ...found, body, audit };
		},
		async perform({ body, selection, integration, audit }, _, store) {
			const isHeldElsewhere =
				body.statuses.includes("held") && integration.status !== "paused";
			if (body.dry_run) {
				const states = selection.states.filter(
					(state) => state !== "pending" || !isHeldElsewhere,
				);
				const matched = await countSelected(store.read, {
					...selection,
					states,
				});
				return { matched, purged: 0, complete: true };
			}
			const end = performance.now() + CALL_MS;
			const done = await purgeSelected(store, selection, {
				isOver: () => performance.now() > end,
				onBatch: audit,
			});
			return { matched: done.purged, ...done };
		},
		async finish(done, { body }) {
			const result: WebhookPurgeResult = {
				integration_id: body.integration_id.toLowerCase(),
				dry_run: body.dry_run,
				...done,
			};
			return { result, changes: [] };
		},
	}),
} satisfies Partial<Handlers>;
