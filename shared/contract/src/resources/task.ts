import * as z from "zod";
import { crud, nestedCrud } from "../table/crud.ts";
import { links, userLinks } from "../table/links.ts";
import { querySearch, sortQuery } from "../table/list-query.ts";
import { UserRef } from "../table/references.ts";
import {
	calendarDate,
	instant,
	requiredLine,
	text,
	timestamp,
} from "../table/text.ts";
import { Uuid } from "../table/uuid.ts";

/* Tasks, also those of one lead or deal. */

export const TaskStatus = z.enum(["to_do", "in_progress", "in_review", "done"]);
export type TaskStatus = z.infer<typeof TaskStatus>;

export const TaskPriority = z.enum(["low", "medium", "high", "urgent"]);
export type TaskPriority = z.infer<typeof TaskPriority>;

/** A task (docs/contract.md#task). `content` is HTML, converted from the Markdown that was written. */
export const Task = z.object({
	uuid: z.string(),
	title: z.string(),
	content: z.string().nullable(),
	status: TaskStatus,
	priority: TaskPriority.nullable(),
	due_date: z.string().nullable(),
	shared: z.boolean(),
	lead_uuid: z.string().nullable(),
	deal_uuid: z.string().nullable(),
	partnership_uuid: z.string().nullable(),
	assigned_users: z.array(UserRef),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type Task = z.infer<typeof Task>;

/** Characters of a task's Markdown (docs/contract.md#limits). */
const MAX_CONTENT = 50_000;

const writable = {
	title: requiredLine(),
	content: text(MAX_CONTENT).nullable(),
	status: TaskStatus,
	priority: TaskPriority.nullable(),
	/** A date or a point in time, kept as it was written. */
	due_date: z
		.union([calendarDate(), instant()], {
			error: "must be a date, YYYY-MM-DD, or a date and time with an offset",
		})
		.nullable(),
	shared: z.boolean(),
	lead_uuid: Uuid.nullable(),
	deal_uuid: Uuid.nullable(),
	partnership_uuid: Uuid.nullable(),
	assigned_user_uuids: z.array(Uuid).max(200),
};

export const TaskCreate = z
	.object(writable)
	.partial()
	.extend({ title: writable.title });
export type TaskCreate = z.infer<typeof TaskCreate>;

/** `assigned_user_uuids` is the whole set: users who are not in it are unassigned. */
export const TaskUpdate = z.object(writable).partial();
export type TaskUpdate = z.infer<typeof TaskUpdate>;

const taskFilters = {
	search: querySearch().optional(),
	status: TaskStatus.optional(),
	priority: TaskPriority.optional(),
	assigned_user_uuid: Uuid.optional(),
	lead_uuid: Uuid.optional(),
	deal_uuid: Uuid.optional(),
	partnership_uuid: Uuid.optional(),
	sort: sortQuery("title", "-title"),
};

/** Tasks emit nothing: the contract has no event for them. */
const task = {
	item: Task,
	create: TaskCreate,
	update: TaskUpdate,
	emits: { create: [], update: [], remove: [] },
};

/** Tasks, also of one lead or deal, and the users who are assigned to them. */
export const taskOperations = {
	...crud({
		...task,
		noun: "Task",
		plural: "Tasks",
		removal: "delete",
		path: "/v1/tasks",
		filters: taskFilters,
	}),
	...links({
		noun: "TaskUser",
		plural: "TaskUsers",
		parent: "/v1/tasks/{uuid}",
		...userLinks,
		group: "Tasks",
	}),
	...nestedCrud({
		...task,
		noun: "LeadTask",
		plural: "LeadTasks",
		parent: "/v1/leads/{uuid}",
		segment: "tasks",
		group: "Leads",
	}),
	...nestedCrud({
		...task,
		noun: "DealTask",
		plural: "DealTasks",
		parent: "/v1/deals/{uuid}",
		segment: "tasks",
		group: "Deals",
	}),
};
