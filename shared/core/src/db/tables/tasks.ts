import { TaskPriority, TaskStatus } from "@partnerwire/contract";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";
import type { RecordTables } from "./records.ts";

/** Tasks. Their users are in `record_link`, the indexes for lists in the migration tasks. */
export function defineTaskTables(
	kit: ColumnKit,
	{ company, partner, lead, deal }: AccessTables & RecordTables,
) {
	const task = kit.table(
		"task",
		{
			uuid: kit.uuid("uuid").primaryKey(),
			companyUuid: kit
				.uuid("company_uuid")
				.notNull()
				.references(() => company.uuid),
			title: kit.text("title").notNull(),
			/** HTML that was converted from Markdown and sanitised. */
			content: kit.text("content"),
			status: kit.oneOf("status", TaskStatus.options as [TaskStatus]).notNull(),
			priority: kit.oneOf("priority", TaskPriority.options as [TaskPriority]),
			dueDate: kit.text("due_date"),
			shared: kit.bool("shared").notNull(),
			leadUuid: kit.uuid("lead_uuid").references(() => lead.uuid),
			dealUuid: kit.uuid("deal_uuid").references(() => deal.uuid),
			partnershipUuid: kit
				.uuid("partnership_uuid")
				.references(() => partner.uuid),
			createdAt: kit.time("created_at").notNull(),
			updatedAt: kit.time("updated_at").notNull(),
		},
		(t) => [
			kit.index("task_lead").on(t.leadUuid, t.createdAt),
			kit.index("task_deal").on(t.dealUuid, t.createdAt),
			kit.index("task_partnership").on(t.partnershipUuid, t.createdAt),
		],
	);

	return { task };
}
