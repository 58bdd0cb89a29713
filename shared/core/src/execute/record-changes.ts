import { type Change, toAuditChanges } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { insertRow } from "../db/insert-row.ts";
import { emitEvent, startEmitting } from "../delivery/emit/emit-event.ts";
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
	const emitting = changes.some(({ emits }) => emits)
		? await startEmitting(context)
		: context;
	let deliveries = 0;
	for (const change of changes) {
		const entry = {
			uuid: context.newUuid(),
			companyUuid: caller.companyUuid,
			entity: change.entity,
			entityUuid: change.uuid,
			action: change.action,
			actorUuid: caller.userUuid,
			actor: caller.label,
			changes: toAuditChanges(await labelReferences(change, context)),
			createdAt: nowMs,
		};
		if (change.emits)
			deliveries += await emitEvent(change.emits, emitting, entry);
		else await insertRow(db, "audit", entry);
	}
	return deliveries;
}
