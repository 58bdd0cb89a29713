// Named statements on PostgreSQL: directly, and through poolers that keep them or do not.
import { connect, createServer, type Socket } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { newDatabase } from "#kit/database/database.ts";
import {
	addIntegration,
	addPartner,
	openTestCore,
} from "#kit/database/open-core.ts";
import { type Db, openStore } from "../../../src/index.ts";

/** The message with which a server tells a client the process id of its session. */
const BACKEND_KEY = Buffer.from([0x4b, 0, 0, 0, 12]);

/** Renames the statement that looks for its own name, but not the name it looks for: its value in the second message. */
function rename(bytes: Buffer): Buffer {
	const parts = bytes.toString("latin1").split("probe_");
	const [head, ...tail] = parts;
	const renamed = tail.map(
		(part, index) => (index < 2 ? "pool__" : "probe_") + part,
	);
	return Buffer.from(head + renamed.join(""), "latin1");
}

/** Leads to a server as a pooler does: process ids are its own, and names too if it `keeps` prepared statements. */
async function openPooler(database: string, keeps: boolean): Promise<string> {
	const url = new URL(database);
	const [port, host] = [Number(url.port), url.hostname];
	const sockets = new Set<Socket>();
	const pooler = createServer((client) => {
		const server = connect(port, host);
		for (const socket of [client, server])
			sockets.add(socket.on("error", () => {}));
		client.on("data", (bytes) => server.write(keeps ? rename(bytes) : bytes));
		client.on("close", () => server.destroy());
		server.on("close", () => client.destroy());
		server.on("data", (bytes) => {
			const at = bytes.indexOf(BACKEND_KEY);
			if (at >= 0) bytes.writeInt32BE(1, at + BACKEND_KEY.length);
			client.write(bytes);
		});
	});
	await new Promise<void>((resolve) => pooler.listen(0, host, () => resolve()));
	onTestFinished(() => {
		for (const socket of sockets) socket.destroy();
		pooler.close();
	});
	url.port = String((pooler.address() as { port: number }).port);
	return url.toString();
}

const ways: [
	what: string,
	toUrl: (database: string) => string | Promise<string>,
	names: RegExp[],
][] = [
	["a direct connection keeps them", (url) => url, [/^names_[0-9a-f]{16}$/]],
	[
		"a pooler that renames them keeps them",
		(url) => openPooler(url, true),
		[/^names_[0-9a-f]{16}$/],
	],
	["another pooler keeps none", (url) => openPooler(url, false), []],
	[
		"the URL may switch them off",
		(url) => `${url}&prepared_statements=off`,
		[],
	],
	[
		"the URL may switch them on",
		async (url) => `${await openPooler(url, false)}&prepared_statements=on`,
		[/^names_[0-9a-f]{16}$/],
	],
];

test.each(ways)("named statements: %s", async (_, toUrl, names) => {
	const store = await openStore(await toUrl(await newDatabase()));
	onTestFinished(() => store.close());
	const found = await store.write(async (db) => {
		const run = db.postgres as NonNullable<typeof db.postgres>;
		const of = (name: string | null) =>
			run<{ name: string }>(
				name,
				"select name from pg_prepared_statements where name like $1::text",
				["names%"],
			);
		await of("names");
		// Without a name, a statement is never kept.
		expect(await of(null)).toEqual(await of(null));
		return of("names");
	});
	expect(found).toEqual(
		names.map((name) => ({ name: expect.stringMatching(name) })),
	);
});

test("a statement that a newer version's migration has outdated is prepared anew", async () => {
	const store = await openStore(await newDatabase());
	onTestFinished(() => store.close());
	const run = (name: string, text: string) => (db: Db) =>
		(db.postgres as NonNullable<typeof db.postgres>)(name, text, []);
	const ask = run("outdated", "select * from outdated");
	const askAll = async () => [
		await store.write(ask),
		await store.readSnapshot(ask),
		await ask(store.read),
	];
	await store.write(run("make", "create table outdated as select 1 as a"));
	expect(await askAll()).toEqual(Array(3).fill([{ a: 1 }]));
	await store.write(run("alter", "alter table outdated alter a type text"));
	expect(await askAll()).toEqual(Array(3).fill([{ a: "1" }]));
});

/** PostgreSQL plans a named statement for its values this often before it compares that with a plan for any values. */
const COMPARED_AFTER = 5;

test("writes that are repeated are not planned again", async () => {
	const core = await openTestCore();
	onTestFinished(() => core.close());
	const { caller } = core;
	const partnership_uuid = await addPartner(core, caller);
	await addIntegration(core, caller);
	for (let n = 0; n < 3 * COMPARED_AFTER; n++) {
		const body = { partnership_uuid, company_name: `Globex ${n}` };
		const { uuid } = await core.execute("createLead", { body }, caller);
		const params = { uuid };
		await core.execute(
			"updateLead",
			{ params, body: { status: "lost" } },
			caller,
		);
		await core.execute("archiveLead", { params }, caller);
	}
	// One after the other, all of them took the pool's client that was used last.
	const statements = await core.store.write(async ({ postgres }) =>
		postgres?.<{ name: string; custom: number; all: number }>(
			null,
			`select name, custom_plans as custom, custom_plans + generic_plans as all
			from pg_prepared_statements where custom_plans + generic_plans > $1`,
			[COMPARED_AFTER],
		),
	);
	const names = statements?.map(({ name }) => name.replace(/_[^_]+$/, ""));
	expect(names).toEqual(
		expect.arrayContaining(["add_event", "locked_standing"]),
	);
	const again = statements?.filter(({ custom }) => custom > COMPARED_AFTER);
	expect(again).toEqual([]);
});
