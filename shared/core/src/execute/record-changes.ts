import { type Change, toAuditChanges } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { insertRow } from "../db/insert-row.ts";
import { emitEvent } from "../delivery/emit/emit-event.ts";
import { lockIntegrationsOf } from "../delivery/sql/lock-integrations.ts";
import { labelReferences } from "./label-references.ts";

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
			changes: toAuditChanges(await labelReferences(change, context)),
			createdAt: nowMs,
		});
		if (change.emits) deliveries += await emitEvent(change.emits, context);
	}
	return deliveries;
}
