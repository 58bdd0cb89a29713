import type { Task } from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import type { RecordLinks } from "../resource/record-links.ts";
import { toTimes } from "../values/times.ts";

export interface TaskRow {
	row: RowOf<"task">;
}

export const selectTasks = ({ query, tables: { task } }: Db) =>
	query.select({ row: task }).from(task).$dynamic();

export const findTask = defineQuery("task_by_uuid", (db) =>
	selectTasks(db).where(
		and(
			eq(db.tables.task.uuid, sql.placeholder("uuid")),
			eq(db.tables.task.companyUuid, sql.placeholder("companyUuid")),
		),
	),
);

/** A task as the API shows it. */
export const toTask = (
	{ row }: TaskRow,
	{ assigned_users }: RecordLinks,
): Task => ({
	uuid: row.uuid,
	title: row.title,
	content: row.content,
	status: row.status,
	priority: row.priority,
	due_date: row.dueDate,
	shared: row.shared,
	lead_uuid: row.leadUuid,
	deal_uuid: row.dealUuid,
	partnership_uuid: row.partnershipUuid,
	assigned_users,
	...toTimes(row),
});
