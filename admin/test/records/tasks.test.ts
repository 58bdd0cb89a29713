import { beforeAll, expect, test } from "vitest";
import { readEvents, useApi } from "../support/api-world.ts";
import {
	createDeal,
	createLead,
	createPartner,
	UNKNOWN_UUID,
} from "../support/records.ts";

const api = useApi();
let partner: { uuid: string };
let lead: { uuid: string };
let deal: { uuid: string };
let users: { uuid: string; email: string }[];
let foreign: { user: string; deal: string };

beforeAll(async () => {
	partner = await createPartner(api());
	lead = await createLead(api(), partner.uuid);
	deal = await createDeal(api(), lead.uuid);
	users = (await api().call("listUsers")).body.data;
	const init = { key: (await api().addCompany()).keys.full };
	const theirs = await createPartner(api(), {}, init);
	const their = await createLead(api(), theirs.uuid, {}, init);
	foreign = {
		user: (await api().call("listUsers", init)).body.data[0].uuid,
		deal: (await createDeal(api(), their.uuid, {}, init)).uuid,
	};
});

const create = (body: object) => api().call("createTask", { body });
const created = async (body: object) => {
	const answer = await create({ title: "Call back", ...body });
	expect(answer.status).toBe(201);
	return answer.body;
};
const update = (uuid: string, body: object) =>
	api().call("updateTask", { params: { uuid }, body });
const onDeal = (body: object, uuid = deal.uuid) =>
	api().call("createDealTask", { params: { uuid }, body });
const list = async (query: string) =>
	(await api().call("listTasks", { query })).body.data.map(
		({ title }: { title: string }) => title,
	);

test("A031 a task with only a title is to_do, not shared, 201", async () => {
	const answer = await create({ title: "Call back" });
	expect(answer.status).toBe(201);
	expect(answer.body).toMatchObject({
		title: "Call back",
		status: "to_do",
		shared: false,
		priority: null,
		content: null,
	});
	expect((await create({})).status).toBe(400);
});

test("A032 a task has the thirteen members of the table", async () => {
	const task = await created({ assigned_user_uuids: [users[0]?.uuid] });
	expect(Object.keys(task).sort()).toEqual(
		[
			...["uuid", "title", "content", "status", "priority", "due_date"],
			...["shared", "lead_uuid", "deal_uuid", "partnership_uuid"],
			...["assigned_users", "created_at", "updated_at"],
		].sort(),
	);
	const [user] = task.assigned_users;
	expect(Object.keys(user).sort()).toEqual(
		["uuid", "email", "first_name", "last_name"].sort(),
	);
	for (const value of Object.values(user)) expect(value).toBeTypeOf("string");
});

test("A033 status and priority take the four values each", async () => {
	for (const status of ["to_do", "in_progress", "in_review", "done"])
		expect((await created({ status })).status).toBe(status);
	for (const priority of ["low", "medium", "high", "urgent"])
		expect((await created({ priority })).priority).toBe(priority);
	for (const wrong of [
		{ status: "todo" },
		{ status: null },
		{ priority: "none" },
	])
		expect((await create({ title: "x", ...wrong })).status).toBe(400);
});

test("A034 content of 50000 code points is taken, one more is 400", async () => {
	expect(await created({ content: "é".repeat(50_000) })).toBeTruthy();
	expect(await created({ content: "😀".repeat(50_000) })).toBeTruthy();
	const answer = await create({ title: "x", content: "x".repeat(50_001) });
	expect(answer.status).toBe(400);
	expect(answer.body.error.message).toContain("body/content");
});

test.each([
	"Run this:\n\n```\na\n\n*b* <x>\n \n# c\n```\n\nafter",
	"- one\n\n  ```\n  a\n\n  b\n  ```\n- two",
])("an answer that is sent back stays as it is: %j", async (content) => {
	const task = await created({ content });
	const params = { uuid: task.uuid };
	const body = { content: task.content };
	const again = await api().call("updateTask", { params, body });
	expect(again.body.content).toBe(task.content);
});

test.each([
	["Vec<String> and List<Map>", "Vec&lt;String&gt; and List&lt;Map&gt;"],
	["Call <name> tomorrow", "Call &lt;name&gt; tomorrow"],
	["a <textarea> **b**", "a &lt;textarea&gt; <strong>b</strong>"],
	["see <title> here", "see &lt;title&gt; here"],
])("what only looks like a tag is text: %s", async (content, shown) => {
	const task = await created({ content });
	expect(task.content).toContain(shown);
	const params = { uuid: task.uuid };
	const body = { content: task.content };
	const again = await api().call("updateTask", { params, body });
	expect(again.body.content).toBe(task.content);
});

test("A035 Markdown comes back as rich text, without what could run", async () => {
	const content = [
		"# Plan",
		"**bold** and *italic*, [a link](https://x.example/)",
		"- one\n- two",
		"```js\nlet a = '<b>';\n```",
		"<script>alert(1)</script><img src=x onerror=alert(2)>",
		"[run](javascript:alert(3)) <a href='jAvascript:alert(4)'>run</a>",
	].join("\n\n");
	const task = await created({ content });
	for (const part of [
		"<h1>Plan</h1>",
		"<strong>bold</strong>",
		"<em>italic</em>",
		'<a href="https://x.example/">a link</a>',
		"<ul>\n<li>one</li>",
		"<pre><code class=\"language-js\">let a = '&lt;b&gt;';",
	])
		expect(task.content).toContain(part);
	expect(task.content).not.toMatch(/script>|<img|onerror|href="j/i);
	// An answer that is sent back changes nothing.
	const again = await update(task.uuid, { content: task.content });
	expect(again.body).toEqual(task);
});

test("A037 an unknown deal, another company's and an archived one are 404", async () => {
	const gone = await createDeal(api(), lead.uuid);
	await api().call("archiveDeal", { params: { uuid: gone.uuid } });
	for (const uuid of [UNKNOWN_UUID, foreign.deal, gone.uuid])
		expect((await onDeal({ title: "x" }, uuid)).status).toBe(404);
});

test("A038 assigned_user_uuids are the assigned users, each of them once", async () => {
	const [one, two] = users.map(({ uuid }) => uuid);
	const given = { title: "x", assigned_user_uuids: [one, two, one] };
	const { body: task } = await onDeal(given);
	const assigned = (shown: { assigned_users: { uuid: string }[] }) =>
		shown.assigned_users.map(({ uuid }) => uuid);
	expect(assigned(task)).toEqual([one, two]);
	const { body: fewer } = await update(task.uuid, {
		assigned_user_uuids: [two],
	});
	expect(assigned(fewer)).toEqual([two]);
	const params = { uuid: task.uuid, subUuid: two as string };
	await api().call("removeTaskUser", { params });
	expect(
		(await api().call("listTaskUsers", { params: { uuid: task.uuid } })).body,
	).toEqual([]);
	for (const wrong of [UNKNOWN_UUID, foreign.user]) {
		const { status, body } = await onDeal({
			title: "x",
			assigned_user_uuids: [one, wrong],
		});
		expect(status).toBe(400);
		expect(body.error.message).toContain("body/assigned_user_uuids/1");
	}
});

test("A039 the records of a task are stored and returned, and checked", async () => {
	const references = { lead_uuid: lead.uuid, partnership_uuid: partner.uuid };
	const { body: task } = await onDeal({ title: "x", ...references });
	expect(task).toMatchObject({ ...references, deal_uuid: deal.uuid });
	const params = { uuid: lead.uuid, subUuid: task.uuid };
	const listed = await api().call("listLeadTasks", { params });
	expect(listed.body).toEqual([task]);
	expect((await onDeal({ title: "x", deal_uuid: deal.uuid })).status).toBe(201);
	for (const [wrong, member] of [
		[{ deal_uuid: UNKNOWN_UUID }, "deal_uuid"],
		[{ deal_uuid: null }, "deal_uuid"],
		[{ lead_uuid: deal.uuid }, "lead_uuid"],
		[{ partnership_uuid: UNKNOWN_UUID }, "partnership_uuid"],
	] as const) {
		const { status, body } = await onDeal({ title: "x", ...wrong });
		expect([status, body.error.details[0].field]).toEqual([
			400,
			`body/${member}`,
		]);
	}
	const theirs = await create({ title: "x", deal_uuid: foreign.deal });
	const unknown = await create({ title: "x", deal_uuid: UNKNOWN_UUID });
	expect(theirs.body).toEqual(unknown.body);
});

test("due_date is a date or a point in time that exists, returned as it was given", async () => {
	for (const due_date of ["2028-02-29", "2026-03-01T09:30:00+02:00"])
		expect((await created({ due_date })).due_date).toBe(due_date);
	for (const due_date of ["2026-02-30", "2026-03-01T25:00:00Z", "soon", ""])
		expect((await create({ title: "x", due_date })).status).toBe(400);
});

test("a task under another record is not found there; it emits nothing, and goes with its users", async () => {
	const other = await createDeal(api(), lead.uuid);
	const events = await readEvents(api(), async () => {
		const { body: task } = await onDeal({
			title: "x",
			assigned_user_uuids: [users[0]?.uuid],
		});
		const elsewhere = { uuid: other.uuid, subUuid: task.uuid };
		const wrong = { params: elsewhere, body: { title: "y" } };
		expect((await api().call("updateDealTask", wrong)).status).toBe(404);
		const params = { uuid: deal.uuid, subUuid: task.uuid };
		const right = { params, body: { title: "y" } };
		expect((await api().call("updateDealTask", right)).body.title).toBe("y");
		expect((await api().call("deleteDealTask", { params })).status).toBe(200);
		const one = { params: { uuid: task.uuid } };
		expect((await api().call("getTask", one)).status).toBe(404);
	});
	expect(events).toEqual([]);
	const { query, tables } = api().service.store.read;
	const links = await query.select().from(tables.recordLink);
	const tasks = await query.select().from(tables.task);
	const uuids = tasks.map(({ uuid }) => uuid);
	for (const { recordUuid } of links) expect(uuids).toContain(recordUuid);
});

test("the list filters by every member", async () => {
	const partnership_uuid = (await createPartner(api())).uuid;
	const ours = { partnership_uuid, assigned_user_uuids: [users[1]?.uuid] };
	await created({ ...ours, title: "Ünique", status: "done" });
	await created({ ...ours, title: "Other", priority: "urgent" });
	const of = `?partnership_uuid=${partnership_uuid}`;
	expect(await list(`${of}&sort=title`)).toEqual(["Other", "Ünique"]);
	expect(await list(`${of}&status=done`)).toEqual(["Ünique"]);
	expect(await list(`${of}&priority=urgent`)).toEqual(["Other"]);
	expect(await list(`${of}&search=ünIQ`)).toEqual(["Ünique"]);
	expect(await list(`${of}&lead_uuid=${lead.uuid}`)).toEqual([]);
	expect(await list(`${of}&deal_uuid=${deal.uuid}`)).toEqual([]);
	const assigned = `&assigned_user_uuid=${users[1]?.uuid}`;
	expect(await list(of + assigned)).toHaveLength(2);
	const { body } = await api().call("listTasks");
	const { query, tables } = api().service.store.read;
	const all = await query.select().from(tables.task);
	expect(body.pagination.total).toBe(all.length);
});
