import type { Task } from "@partnerwire/contract";
import type { RowOf } from "../db/insert-row.ts";
import type { RecordLinks } from "../resource/record-links.ts";
import { toTimes } from "../values/times.ts";

export interface TaskRow {
	row: RowOf<"task">;
}

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
