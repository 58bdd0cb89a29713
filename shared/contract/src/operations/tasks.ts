import {
	Task,
	TaskCreate,
	TaskUpdate,
	taskFilters,
} from "../resources/task.ts";
import { crud, nestedCrud } from "../table/crud.ts";
import { links } from "../table/links.ts";
import { users } from "./link-specs.ts";

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
		...users,
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
