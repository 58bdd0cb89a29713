import { eq } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { insertRow } from "../db/insert-row.ts";
import { lockIntegrationsOf } from "../db/lock-integrations.ts";
import { emitEvent } from "../outbox/emit-event.ts";
import { type Change, type Resource, toAuditChanges } from "./change.ts";
import type { Context } from "./context.ts";

/** Writes the audit entries and the outbox of an operation, in its transaction. Answers how many deliveries wait. */
export async function recordChanges(
	changes: readonly Change[],
	context: Context,
): Promise<number> {
	const { db, caller, nowMs } = context;
	// Before the audit log's counter, as the worker does that pauses an integration.
	if (changes.some(({ emits }) => emits))
		await lockIntegrationsOf(db, caller.companyUuid);
	let deliveries = 0;
	for (const change of changes) {
		await insertRow(db, "audit", {
			uuid: context.newUuid(),
			companyUuid: caller.companyUuid,
			entity: change.entity,
			entityUuid: change.uuid,
			action: change.action,
			actorUuid: caller.userUuid,
			actor: caller.label,
			changes: toAuditChanges(await withAssets(change, db)),
			createdAt: nowMs,
		});
		if (change.emits) deliveries += await emitEvent(change.emits, context);
	}
	return deliveries;
}

/** Records show assets by their uuids; the audit log tells of their URLs (spec 1.3.0: foreign keys as labels). */
async function withAssets(change: Change, db: Db): Promise<Change> {
	const { before, after } = change;
	if (before?.asset_uuid === after?.asset_uuid) return change;
	return {
		...change,
		before: await withAsset(before, db),
		after: await withAsset(after, db),
	};
}

async function withAsset(
	shown: Resource | null,
	{ query, tables: { asset } }: Db,
): Promise<Resource | null> {
	if (typeof shown?.asset_uuid !== "string") return shown;
	const [found] = await query
		.select({ uuid: asset.uuid, label: asset.url })
		.from(asset)
		.where(eq(asset.uuid, shown.asset_uuid));
	return { ...shown, asset_uuid: found };
}
