import { NIL_UUID } from "@partnerwire/contract";
import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { insertRow } from "../../db/insert-row.ts";

/** Pauses an integration because of what its endpoint answers, and says so in the audit log; nobody is its actor. */
export async function pauseItself(
	db: Db,
	integrationId: number,
	reason: string,
	nowMs: number,
	/** The state of the integration that was found wanting: what was changed since is not paused. */
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
