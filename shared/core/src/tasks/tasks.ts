import {
	invalidMembers,
	notFound,
	type Task,
	type TaskCreate,
	type TaskUpdate,
} from "@partnerwire/contract";
import { asc, desc, eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import { insertRow } from "../db/insert-row.ts";
import { deals } from "../deals/deals.ts";
import type { Handlers, Outcome } from "../execute/handlers.ts";
import { leads } from "../leads/leads.ts";
import {
	whenAssigned,
	whenContains,
	whenEqual,
} from "../resource/conditions.ts";
import { createLinks } from "../resource/create-links.ts";
import { createRecords } from "../resource/create-records.ts";
import { assignedUsers } from "../resource/link-kinds.ts";
import { loadLinks } from "../resource/record-links.ts";
import { createReferences, type References } from "../resource/references.ts";
import { type One, type Part, selectRows } from "../resource/resource-kind.ts";
import { type TaskRow, toTask } from "./task-view.ts";

const tasks = createRecords({
	table: "task",
	entity: "task",
	noun: "task",
	isCounted: true,
	select: selectRows("task"),
	attach: loadLinks,
	toShown: toTask,
	defaults: { status: "to_do", shared: false },
	toColumns,
	removing: ({ uuid }, context) => unassignAll(uuid, context),
});

async function toColumns(
	body: TaskUpdate,
	references: References,
): Promise<Partial<TaskRow["row"]>> {
	await references.find("lead", "lead_uuid", body.lead_uuid);
	await references.find("deal", "deal_uuid", body.deal_uuid);
	await references.find("partner", "partnership_uuid", body.partnership_uuid);
	references.refuseInvalid();
	return {
		title: body.title,
		content: body.content ? await toSafeText(body.content) : body.content,
		status: body.status,
		priority: body.priority,
		dueDate: body.due_date,
		shared: body.shared,
		leadUuid: body.lead_uuid,
		dealUuid: body.deal_uuid,
		partnershipUuid: body.partnership_uuid,
	};
}

/** The Markdown libraries are loaded with the first text, so that a service without tasks starts sooner. */
async function toSafeText(content: string): Promise<string> {
	const { toRichText } = await import("../resource/to-rich-text.ts");
	return toRichText(content);
}

/** The users of a body, each once; undefined if the body does not mention them. */
async function findUsers(
	{ assigned_user_uuids: userUuids }: TaskUpdate,
	references: References,
): Promise<string[] | undefined> {
	for (const [index, uuid] of userUuids?.entries() ?? [])
		await references.find("user", `assigned_user_uuids/${index}`, uuid);
	return userUuids && [...new Set(userUuids)];
}

async function assign(
	recordUuid: string,
	users: readonly string[],
	{ db, nowMs }: Context,
): Promise<void> {
	for (const userUuid of users)
		await insertRow(db, "recordLink", {
			recordUuid,
			userUuid,
			createdAt: nowMs,
		});
}

async function unassignAll(recordUuid: string, { db }: Context): Promise<void> {
	const { recordLink } = db.tables;
	await db.query
		.delete(recordLink)
		.where(eq(recordLink.recordUuid, recordUuid));
}

async function createTask(
	body: TaskCreate,
	context: Context,
): Promise<Outcome<Task>> {
	const references = createReferences(context);
	const users = await findUsers(body, references);
	const columns = await toColumns(body, references);
	return tasks.create(
		columns,
		context,
		undefined,
		users && ((uuid) => assign(uuid, users, context)),
	);
}

async function updateTask(
	viewed: TaskRow,
	body: TaskUpdate,
	context: Context,
): Promise<Outcome<Task>> {
	const references = createReferences(context, viewed.row);
	const users = await findUsers(body, references);
	const columns = await toColumns(body, references);
	const { uuid } = viewed.row;
	const isReassigned =
		users &&
		toSortedText(users) !==
			toSortedText((await tasks.show(viewed, context)).assigned_users);
	const writeLinks = async () => {
		await unassignAll(uuid, context);
		await assign(uuid, users ?? [], context);
	};
	return tasks.change(viewed, columns, context, {
		writeLinks: isReassigned ? writeLinks : undefined,
	});
}

const toSortedText = (users: readonly (string | { uuid: string })[]) =>
	users
		.map((user) => (typeof user === "string" ? user : user.uuid))
		.sort()
		.join();

/** The tasks below one lead or deal: the tasks whose `lead_uuid` or `deal_uuid` it is. */
function createNested(noun: "lead" | "deal") {
	const member = `${noun}_uuid` as const;
	const column = `${noun}Uuid` as const;
	const parents = noun === "lead" ? leads : deals;

	/** Throws a 400 for a body that names another record than the path. */
	function refuseOther({ params, body }: One & { body: TaskUpdate }) {
		const parentUuid = body[member];
		if (parentUuid === undefined || parentUuid === params.uuid) return;
		const message = `must be the ${noun} of the path, or left out`;
		throw invalidMembers([{ field: `body/${member}`, message }]);
	}

	async function read({ params }: Part, context: Context): Promise<TaskRow> {
		await parents.readLive(params.uuid, context);
		const viewed = await tasks.read(params.subUuid, context);
		if (viewed.row[column] !== params.uuid) throw notFound("task");
		return viewed;
	}

	return {
		list: async ({ params }: One, context: Context): Promise<Task[]> => {
			await parents.read(params.uuid, context);
			const { task } = context.db.tables;
			const rows = await selectRows("task")(context.db)
				.where(eq(task[column], params.uuid))
				.orderBy(desc(task.createdAt), asc(task.uuid));
			return tasks.showAll(rows, context);
		},
		create: async (input: One & { body: TaskCreate }, context: Context) => {
			refuseOther(input);
			await parents.readLive(input.params.uuid, context);
			const body = { ...input.body, [member]: input.params.uuid };
			return createTask(body, context);
		},
		update: async (input: Part & { body: TaskUpdate }, context: Context) => {
			refuseOther(input);
			return updateTask(await read(input, context), input.body, context);
		},
		remove: async (input: Part, context: Context) =>
			tasks.remove(await read(input, context), context),
	};
}

const onLeads = createNested("lead");
const onDeals = createNested("deal");
const users = createLinks(tasks, assignedUsers);

/** The operations on tasks, and on the tasks of a lead or a deal. */
export const taskHandlers = {
	listTasks: ({ query }, context) => {
		const { db } = context;
		const { task } = db.tables;
		return tasks.list(query, context, {
			scattered: [whenAssigned(db, task.uuid, query.assigned_user_uuid)],
			selective: [
				whenEqual(task.leadUuid, query.lead_uuid),
				whenEqual(task.dealUuid, query.deal_uuid),
				whenEqual(task.partnershipUuid, query.partnership_uuid),
			],
			conditions: [
				whenEqual(task.status, query.status),
				whenEqual(task.priority, query.priority),
				whenContains(db, [task.title], query.search),
			],
			sortable: { title: task.title },
		});
	},
	getTask: tasks.handlers.get,
	createTask: ({ body }, context) => createTask(body, context),
	updateTask: async ({ params, body }, context) =>
		updateTask(await tasks.read(params.uuid, context), body, context),
	deleteTask: tasks.handlers.remove,

	listTaskUsers: users.list,
	addTaskUser: users.add,
	removeTaskUser: users.remove,

	listLeadTasks: onLeads.list,
	createLeadTask: onLeads.create,
	updateLeadTask: onLeads.update,
	deleteLeadTask: onLeads.remove,
	listDealTasks: onDeals.list,
	createDealTask: onDeals.create,
	updateDealTask: onDeals.update,
	deleteDealTask: onDeals.remove,
} satisfies Partial<Handlers>;
