import { insertRow } from "../db/insert-row.ts";
import { emitEvent } from "../outbox/emit-event.ts";
import { type Change, toAuditChanges } from "./change.ts";
import type { Context } from "./context.ts";

/** Writes the audit entries and the outbox of an operation, in its transaction. Answers how many deliveries wait. */
export async function recordChanges(
	changes: readonly Change[],
	context: Context,
): Promise<number> {
	const { db, caller, nowMs } = context;
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
			changes: toAuditChanges(change),
			createdAt: nowMs,
		});
		if (change.emits) deliveries += await emitEvent(change.emits, context);
	}
	return deliveries;
}
