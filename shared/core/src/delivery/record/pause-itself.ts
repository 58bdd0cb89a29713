import { NIL_UUID } from "@partnerwire/contract";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { insertRow } from "../../db/insert-row.ts";

/**
 * Pauses an integration because of its endpoint's answers, and writes an audit entry without a user
 * (docs/decisions.md#only-failures-for-five-days).
 */
export async function pauseItself(
	db: Db,
	integrationId: number,
	reason: string,
	nowMs: number,
	/** Pauses only if the integration still has this version: a change since then may have repaired it. */
	version?: number,
): Promise<void> {
	const { integration } = db.tables;
	const [paused] = await db.query
		.update(integration)
		.set({
			status: "paused",
			pauseReason: reason,
			pausedAt: nowMs,
			updatedAt: nowMs,
			version: sql`${integration.version} + 1`,
		})
		.where(
			and(
				eq(integration.id, integrationId),
				eq(integration.status, "active"),
				version === undefined ? undefined : eq(integration.version, version),
				isNull(integration.deletedAt),
			),
		)
		.returning({
			uuid: integration.uuid,
			companyUuid: integration.companyUuid,
		});
	if (!paused) return;
	const change = { entity: "integration", ref_uuid: null };
	await insertRow(db, "audit", {
		uuid: db.random.newUuid(nowMs),
		companyUuid: paused.companyUuid,
		entity: "integration",
		entityUuid: paused.uuid,
		action: "paused",
		actorUuid: NIL_UUID,
		actor: "Partnerwire",
		changes: [
			{
				...change,
				field: "status",
				old: "active",
				new: "paused",
				label: "status",
			},
			{
				...change,
				field: "pause_reason",
				old: null,
				new: reason,
				label: "pause reason",
			},
		],
		createdAt: nowMs,
	});
}
