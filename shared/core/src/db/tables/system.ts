import { sql } from "drizzle-orm";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";

/** One changed member of an audited record. Foreign keys appear as labels (docs/decisions.md#audit-log). */
export interface AuditChange {
	entity: string;
	field: string;
	old: unknown;
	new: unknown;
	label: string;
	ref_uuid: string | null;
}

export const AUDIT_ACTIONS = [
	"created",
	"updated",
	"deleted",
	"archived",
	"restored",
] as const;

/** The audit log, idempotency keys, record counts and the settings of the installation. */
export function defineSystemTables(kit: ColumnKit, { company }: AccessTables) {
	const audit = kit.table(
		"audit",
		{
			uuid: kit.uuid("uuid").primaryKey(),
			companyUuid: kit
				.uuid("company_uuid")
				.notNull()
				.references(() => company.uuid),
			entity: kit.text("entity").notNull(),
			entityUuid: kit.uuid("entity_uuid").notNull(),
			action: kit.text("action").notNull(),
			actorUuid: kit.uuid("actor_uuid").notNull(),
			actor: kit.text("actor").notNull(),
			changes: kit.json<AuditChange[]>("changes").notNull(),
			createdAt: kit.time("created_at").notNull(),
		},
		(t) => [
			kit.index("audit_list").on(t.companyUuid, t.createdAt),
			kit.index("audit_entity").on(t.entityUuid),
			/** The entries for those who watch deliveries: a small part of all. */
			kit
				.index("audit_watched")
				.on(t.createdAt)
				.where(sql`entity in ('integration', 'webhook_event')`),
		],
	);

	const idempotency = kit.table(
		"idempotency",
		{
			scope: kit.text("scope").primaryKey(),
			bodyHash: kit.text("body_hash").notNull(),
			/** Null while the first request still runs. Encrypted if the operation's answer holds a secret. */
			answer: kit.text("answer"),
			createdAt: kit.time("created_at").notNull(),
		},
		(t) => [kit.index("idempotency_age").on(t.createdAt)],
	);

	/**
	 * The number of a company's records of a kind. Triggers keep it (migration list-cost), so that lists never count
	 * records.
	 */
	const recordCount = kit.table(
		"record_count",
		{
			id: kit.id(),
			companyUuid: kit
				.uuid("company_uuid")
				.notNull()
				.references(() => company.uuid),
			kind: kit.text("kind").notNull(),
			archived: kit.bool("archived").notNull(),
			total: kit.int("total").notNull(),
		},
		(t) => [
			kit.uniqueIndex("record_count_of").on(t.companyUuid, t.kind, t.archived),
		],
	);

	const setting = kit.table("setting", {
		name: kit.text("name").primaryKey(),
		value: kit.text("value").notNull(),
	});

	return { audit, idempotency, recordCount, setting };
}
