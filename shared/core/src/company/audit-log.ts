import { isUuid } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Handlers } from "../execute/handlers.ts";
import { whenContains, whenEqual, whenInDays } from "../resource/conditions.ts";
import { listPage } from "../resource/list-page.ts";
import { toIso } from "../values/times.ts";

/** The operation on the audit log. It is only read: `execute()` adds the entries of every write. */
export const auditLogHandlers = {
	listAuditLog: ({ query }, { db, caller }) => {
		const { audit } = db.tables;
		const { actor, start_date: start, end_date: end } = query;
		return listPage(db, query, {
			table: audit,
			query: db.query.select().from(audit).$dynamic(),
			scope: { companyUuid: caller.companyUuid },
			selective: [whenEqual(audit.entityUuid, query.entity_uuid)],
			conditions: [
				whenEqual(audit.entity, query.entity_type),
				whenEqual(audit.action, query.action),
				actor !== undefined && isUuid(actor)
					? eq(audit.actorUuid, actor.toLowerCase())
					: whenContains(db, [audit.actor], actor),
				whenInDays(audit.createdAt, start, end),
			],
			toItems: (rows) =>
				rows.map((row) => ({
					uuid: row.uuid,
					entity: row.entity,
					entity_uuid: row.entityUuid,
					action: row.action,
					actor: row.actor,
					changes: row.changes,
					created_at: toIso(row.createdAt),
				})),
		});
	},
} satisfies Partial<Handlers>;
