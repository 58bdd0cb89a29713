import { statSync } from "node:fs";
import { createReceiver } from "@partnerwire/receiver";
import { createInbox, type InboxStore } from "@partnerwire/receiver/inbox";
import { createTestClock } from "@partnerwire/receiver/testing";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "#kit/endpoints/adapters.ts";
import { SECRET, tok } from "#kit/endpoints/tokens.ts";
import { toRetryDelayMs } from "../../src/inbox/inbox-worker.ts";
import { createGate, expectOk, expectRefusal } from "../cases/case.ts";
import { newInboxFile, openInbox } from "../helpers/open-inbox.ts";
import { openWorld } from "../helpers/world.ts";

const fetchAdapter = ADAPTERS[0] as (typeof ADAPTERS)[0];
const bearer = (jti: string) => ({ authorization: `Bearer ${tok({ jti })}` });
const STORED = { stored: true };

describe("close", () => {
	test("waits for handlers that run, takes no more, and refuses what comes", async () => {
		const file = newInboxFile();
		const { inbox, settled } = openInbox({ concurrency: 1 }, file);
		const world = await openWorld(fetchAdapter, { inbox });
		const began = createGate();
		const gate = createGate();
		world.work = () => {
			began.open();
			return gate.opened;
		};
		expectOk(await world.send(bearer("1")), STORED);
		await began.opened;
		expectOk(await world.send(bearer("2")), STORED);
		const closing = world.receiver.close();
		expect(world.receiver.close()).toBeInstanceOf(Promise);
		expectRefusal(await world.send(bearer("3")), "STORE_UNAVAILABLE");
		gate.open();
		await closing;
		await settled(1);
		expect(world.runs.length).toBe(1);
		expect(await openInbox({}, file).inbox.stats()).toMatchObject({
			done: 1,
			pending: 1,
		});
	});

	test("aborts handlers after its time; what was interrupted is due at once and was no attempt", async () => {
		const file = newInboxFile();
		const { inbox } = openInbox({ drainMs: 0 }, file);
		const world = await openWorld(fetchAdapter, { inbox });
		const began = createGate();
		world.work = ({ signal }) =>
			new Promise((_, reject) => {
				signal.addEventListener("abort", () => reject(signal.reason));
				began.open();
			});
		expectOk(await world.send(), STORED);
		await began.opened;
		await world.receiver.close();
		const [entry] = await openInbox({}, file).inbox.list();
		expect(entry).toMatchObject({ state: "pending", attempts: 0 });
	});

	test("a receiver without an inbox has nothing to close", async () => {
		await createReceiver({ secret: SECRET }).close();
	});
});

describe("several receivers on one file", () => {
	test("share the events, each of which runs once", async () => {
		const file = newInboxFile();
		const worlds = [];
		for (let index = 0; index < 3; index++)
			worlds.push(
				await openWorld(fetchAdapter, {
					inbox: openInbox({ concurrency: 2 }, file).inbox,
				}),
			);
		const [first] = worlds as [(typeof worlds)[0]];
		for (let index = 0; index < 60; index++)
			expectOk(
				await first.send({
					...bearer(String(index)),
					body: `{"deal":{"uuid":"${index}"}}`,
				}),
				STORED,
			);
		const { inbox } = openInbox({}, file);
		while ((await inbox.stats()).done < 60) await new Promise(setImmediate);
		const ran = worlds.flatMap(({ runs }) =>
			runs.map(({ claims }) => claims.jti),
		);
		expect(ran.length).toBe(60);
		expect(new Set(ran).size).toBe(60);
	});
});

/** A store whose methods can be made to fail. */
const withFaults = (store: InboxStore, faults: Partial<InboxStore>) =>
	createInbox(
		{ ...store, ...faults },
		{ pollMs: 2, retryBaseMs: 1, retryMaxMs: 1 },
	);

describe("a store that fails", () => {
	test("no event is acknowledged that could not be stored; the log says it once, and nothing secret", async () => {
		let isDown = true;
		const { store } = openInbox().inbox;
		const inbox = withFaults(store, {
			put: (event) =>
				isDown
					? Promise.reject(
							Object.assign(new Error("postgres://u:hunter2@h"), {
								code: "ECONNREFUSED",
							}),
						)
					: store.put(event),
		});
		const errors: unknown[] = [];
		const world = await openWorld(fetchAdapter, {
			inbox,
			onError: (error) => errors.push(error),
		});
		for (let time = 0; time < 2; time++)
			expectRefusal(await world.send(), "STORE_UNAVAILABLE");
		expect(world.log).toEqual([
			expect.stringContaining("cannot store an event (ECONNREFUSED)"),
		]);
		expect(errors.length).toBe(2);
		isDown = false;
		expectOk(await world.send(), STORED);
		await inbox.close();
	});

	test("a store that hangs is answered for at the deadline; what it stored after all is a duplicate", async () => {
		const gate = createGate();
		const { store } = openInbox().inbox;
		const inbox = withFaults(store, {
			put: async (event) => {
				await gate.opened;
				return store.put(event);
			},
		});
		const world = await openWorld(fetchAdapter, { inbox, deadlineMs: 20 });
		expectRefusal(await world.send(), "STORE_UNAVAILABLE");
		expect(world.log.join()).toContain("takes too long");
		gate.open();
		expectOk(await world.send(), { duplicate: true });
		await inbox.close();
	});

	test("taking and settling are tried again", async () => {
		const { store } = openInbox().inbox;
		let faults = 6;
		const flaky = <T>(call: () => T): T => {
			if (faults > 0 && faults-- % 2 === 0) throw new Error("down");
			return call();
		};
		const inbox = withFaults(store, {
			take: (request) => flaky(() => store.take(request)),
			settle: (ticket, settlement) =>
				flaky(() => store.settle(ticket, settlement)),
		});
		const world = await openWorld(fetchAdapter, { inbox });
		expectOk(await world.send(), STORED);
		while ((await inbox.stats()).done < 1) await new Promise(setImmediate);
		expect(world.runs.length).toBe(1);
		expect(world.log).toContain("The inbox cannot be read; it is tried again.");
		await inbox.close();
	});

	test("a row that is no event of ours is dead, and holds nothing up", async () => {
		const { inbox, settled, outcomes, file } = openInbox();
		const client = new Database(file);
		const world = await openWorld(fetchAdapter, { inbox });
		client.exec(
			"create trigger spoil after insert on partnerwire_inbox when new.delivery_id like '%bad' begin update partnerwire_inbox set body = '{' where id = new.id; end",
		);
		expectOk(await world.send(bearer("bad")), STORED);
		expectOk(await world.send(bearer("good")), STORED);
		await settled(2);
		expect(outcomes()).toEqual(["dead", "done"]);
		client.close();
	});
});

describe("what is kept", () => {
	test("a done event keeps neither its body nor its claims, and the file is its owner's alone", async () => {
		const { inbox, settled, file } = openInbox();
		const world = await openWorld(fetchAdapter, { inbox });
		const secret = { api_key: "hunter2", jti: "j" };
		expectOk(
			await world.send({ authorization: `Bearer ${tok(secret)}` }),
			STORED,
		);
		await settled(1);
		const client = new Database(file);
		const rows = JSON.stringify(
			client.prepare("select * from partnerwire_inbox").all(),
		);
		expect(rows).not.toContain("hunter2");
		expect(rows).not.toContain('deal_updated","iat');
		for (const name of [file, `${file}-wal`])
			expect(statSync(name).mode & 0o077, name).toBe(0);
		expect(client.pragma("journal_mode", { simple: true })).toBe("wal");
		client.close();
	});

	test("done events go when the time of their memory is over", async () => {
		const clock = createTestClock();
		const { inbox, settled, file } = openInbox({ clock: clock.now });
		const world = await openWorld(fetchAdapter, { inbox, dedupTtlMs: 1_000 });
		expectOk(await world.send(), STORED);
		await settled(1);
		await inbox.close();
		clock.advance(1_000);
		const next = openInbox({ clock: clock.now }, file);
		await openWorld(fetchAdapter, { inbox: next.inbox });
		while ((await next.inbox.stats()).done > 0) await new Promise(setImmediate);
	});
});

test("the pause doubles up to the longest, and half of it is random", () => {
	const delays = (random: number) =>
		[1, 2, 3, 11, 2_000].map((attempt) =>
			toRetryDelayMs(attempt, {
				retryBaseMs: 1_000,
				retryMaxMs: 60_000,
				random: () => random,
			} as never),
		);
	expect(delays(0)).toEqual([500, 1_000, 2_000, 30_000, 30_000]);
	expect(delays(1)).toEqual([1_000, 2_000, 4_000, 60_000, 60_000]);
});
