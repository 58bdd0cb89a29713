import { type Change, toAuditChanges } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { insertRow } from "../db/insert-row.ts";
import { emitEvent } from "../delivery/emit/emit-event.ts";
import { lockIntegrationsOf } from "../delivery/sql/lock-integrations.ts";
import { labelReferences } from "./label-references.ts";

/**
 * Writes the audit entries and the outbox of an operation, in its transaction. Returns the number of deliveries that
 * wait to be sent.
 */
export async function recordChanges(
	changes: readonly Change[],
	context: Context,
): Promise<number> {
	const { db, caller, nowMs } = context;
	// Locked before the audit log's counter, in the same order as a worker that pauses an integration.
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
			changes: toAuditChanges(await labelReferences(change, context)),
			createdAt: nowMs,
		});
		if (change.emits) deliveries += await emitEvent(change.emits, context);
	}
	return deliveries;
}
