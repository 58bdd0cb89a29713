import { type EventContext, PermanentFailure } from "@partnerwire/receiver";
import { createTestClock } from "@partnerwire/receiver/testing";
import { expect, test } from "vitest";
import { ADAPTERS } from "#kit/endpoints/adapters.ts";
import { sha256, tok } from "#kit/endpoints/tokens.ts";
import { createGate, expectOk, expectRefusal } from "../cases/case.ts";
import { newInboxFile, openInbox } from "../helpers/open-inbox.ts";
import { openWorld } from "../helpers/world.ts";

const fetchAdapter = ADAPTERS[0] as (typeof ADAPTERS)[0];
const STORED = { stored: true };
const bearer = (more: object) => ({ authorization: `Bearer ${tok(more)}` });
const bodyOf = (uuid: string) =>
	`{"deal":{"uuid":"${uuid}","label":"d"},"configuration":[]}`;

test("acknowledges when the event is stored, and then runs the handler, once", async () => {
	const { inbox, settled, told } = openInbox();
	const world = await openWorld(fetchAdapter, { inbox });
	const gate = createGate();
	world.work = () => gate.opened;
	expectOk(await world.send(bearer({ jti: "1" })), STORED);
	expect(world.seen.at(-1)).toMatchObject({
		outcome: "stored",
		dedup: "claimed",
	});
	expectOk(await world.send(bearer({ jti: "1" })), { duplicate: true });
	expect(await inbox.stats()).toMatchObject({ done: 0, dead: 0 });
	gate.open();
	await settled(1);
	expectOk(await world.send(bearer({ jti: "1" })), { duplicate: true });
	expect(told).toEqual([
		{ id: 1, eventId: "deal_updated", attempt: 1, outcome: "done" },
	]);
	expect(world.runs.length).toBe(1);
	expect(await inbox.stats()).toEqual({
		pending: 0,
		processing: 0,
		done: 1,
		dead: 0,
		oldestAgeMs: null,
	});
});

test("the handler gets the context that it would get without an inbox", async () => {
	const body = `{"lead":{"uuid":"l","company_name":"Zoë \\ud800","email":"a@b.example","n":9007199254740993},"extra":1,"configuration":[{"id":"lead_integration_settings","selected":[{"id":"unique_field_lead","value":"email"}]}]}`;
	const token = bearer({
		event_id: "lead_created",
		jti: "j",
		sequence: 7,
		payload_sha256: sha256(body),
		external_settings: { authorisation: [{ id: "crm", value: "v" }] },
	});
	const shapes: object[] = [];
	const note = (context: EventContext) => {
		const { signal: _, rawBody, config, authorisation, ...rest } = context;
		shapes.push({
			...rest,
			raw: Buffer.from(rawBody).toString(),
			config: config("lead_integration_settings"),
			authorisation: authorisation("crm"),
		});
	};
	const plain = await openWorld(fetchAdapter);
	plain.work = note;
	expectOk(await plain.send({ ...token, body }));
	const { inbox, settled } = openInbox();
	const world = await openWorld(fetchAdapter, { inbox });
	world.work = note;
	expectOk(await world.send({ ...token, body }), STORED);
	await settled(1);
	expect(shapes[1]).toEqual(shapes[0]);
	expect(shapes[1]).toMatchObject({
		raw: body,
		uniqueKey: { field: "email", value: "a@b.example" },
	});
});

test("what is refused or unhandled is not stored", async () => {
	const { inbox } = openInbox();
	const world = await openWorld(fetchAdapter, { inbox });
	expectRefusal(await world.send({ authorization: null }), "TOKEN_MISSING");
	expectRefusal(await world.send({ body: "{}" }), "INVALID_SHAPE");
	expectOk(await world.send(bearer({ event_id: "card_created" })), {
		handled: false,
	});
	expect(await inbox.list()).toEqual([]);
});

test("tries again after a failure, and keeps what never works as dead, until it is retried", async () => {
	const { inbox, settled, outcomes } = openInbox({ maxAttempts: 3 });
	const letters: string[] = [];
	const errors: unknown[] = [];
	const world = await openWorld(fetchAdapter, {
		inbox,
		onDeadLetter: (failure, { eventId }) => {
			letters.push(`${eventId} ${failure.message}`);
			throw new Error("letter box full");
		},
		onError: (error) => errors.push(error),
	});
	world.work = () => {
		throw new Error("CRM down\0");
	};
	expectOk(await world.send(), STORED);
	await settled(3);
	expect(outcomes()).toEqual(["retry", "retry", "dead"]);
	expect(letters).toEqual(["deal_updated given up after 3 attempts"]);
	expect(errors.length).toBe(4);
	const [dead] = await inbox.list({ state: "dead" });
	expect(dead).toMatchObject({
		attempts: 3,
		error: "Error: CRM down\ufffd",
		state: "dead",
	});
	expect(world.log.join()).not.toContain("CRM down");
	expectOk(await world.send(), { duplicate: true });
	world.work = () => {};
	expect(await inbox.retry(dead?.id)).toBe(1);
	await settled(4);
	expect(outcomes()[3]).toBe("done");
});

test("a PermanentFailure is dead at once", async () => {
	const { inbox, settled, outcomes } = openInbox();
	const world = await openWorld(fetchAdapter, { inbox });
	world.work = () => {
		throw new PermanentFailure("country not served");
	};
	expectOk(await world.send(), STORED);
	await settled(1);
	expect(outcomes()).toEqual(["dead"]);
	expect((await inbox.list())[0]?.error).toBe(
		"PermanentFailure: country not served",
	);
});

test("the events of one record run one after the other in their order, those of others beside them", async () => {
	const { inbox, settled } = openInbox({ concurrency: 3 });
	const world = await openWorld(fetchAdapter, { inbox });
	const gates = new Map(["a1", "b1", "a2"].map((name) => [name, createGate()]));
	const began: string[] = [];
	let failures = 1;
	world.work = async ({ claims }) => {
		began.push(claims.jti ?? "");
		await gates.get(claims.jti ?? "")?.opened;
		if (claims.jti === "a1" && failures-- > 0) throw new Error("once");
	};
	for (const [jti, uuid] of [
		["a1", "a"],
		["a2", "a"],
		["b1", "b"],
	] as const)
		expectOk(
			await world.send({ ...bearer({ jti }), body: bodyOf(uuid) }),
			STORED,
		);
	gates.get("b1")?.open();
	await settled(1);
	expect(began.sort()).toEqual(["a1", "b1"]);
	gates.get("a1")?.open();
	gates.get("a2")?.open();
	await settled(4);
	expect(began).toEqual(["a1", "b1", "a1", "a2"]);
});

test("a handler over its time: its signal is aborted, and a late success counts while nobody took over", async () => {
	const { inbox, settled, outcomes } = openInbox({ handlerTimeoutMs: 5 });
	const world = await openWorld(fetchAdapter, { inbox });
	const gate = createGate();
	world.work = () => gate.opened;
	expectOk(await world.send(), STORED);
	await settled(1);
	expect(world.runs[0]?.signal.aborted).toBe(true);
	expect(world.log.join()).toContain("longer than 5 ms");
	gate.open();
	await settled(2);
	expect(outcomes()).toEqual(["late", "done"]);
});

test("a handler that never ends is tried again after its lease, and dead at last", async () => {
	const { inbox, settled, outcomes } = openInbox({
		handlerTimeoutMs: 1,
		leaseMs: 5,
		maxAttempts: 2,
	});
	const world = await openWorld(fetchAdapter, { inbox });
	world.work = () => new Promise(() => {});
	expectOk(await world.send(), STORED);
	await settled(3);
	expect(outcomes()).toEqual(["late", "late", "dead"]);
	expect((await inbox.list())[0]?.error).toContain(
		"taken 2 times and never settled",
	);
});

test("a lease that was lost aborts the handler, whose end then changes nothing", async () => {
	const file = newInboxFile();
	const { inbox, settled, outcomes } = openInbox({ leaseMs: 30 }, file);
	const world = await openWorld(fetchAdapter, { inbox });
	const aborted = createGate();
	world.work = ({ signal }) =>
		new Promise<void>((resolve) => {
			signal.addEventListener("abort", () => {
				aborted.open();
				resolve();
			});
			// The other process takes the event over although the lease is renewed, as after a stalled event loop.
			void (async () => {
				const thief = openInbox({ clock: () => Date.now() + 1e6 }, file).inbox;
				await thief.store.take({
					eventIds: ["deal_updated"],
					limit: 1,
					fence: "thief",
					leaseMs: 1e9,
				});
			})();
		});
	expectOk(await world.send(), STORED);
	await aborted.opened;
	await settled(1);
	expect(outcomes()).toEqual(["lost"]);
	expect(await inbox.stats()).toMatchObject({ processing: 1, done: 0 });
});

test("long work is held by its process, however short the lease", async () => {
	const file = newInboxFile();
	const clock = createTestClock();
	const leaseMs = 30;
	const { inbox, settled, outcomes } = openInbox(
		{ leaseMs, clock: clock.now },
		file,
	);
	const world = await openWorld(fetchAdapter, { inbox });
	const other = openInbox({ clock: clock.now }, file).inbox;
	world.work = async () => {
		for (let step = 0; step < 3; step++) {
			clock.advance(leaseMs - 1);
			while ((await inbox.list())[0]?.dueAtMs !== clock.now() + leaseMs)
				await new Promise(setImmediate);
			const taken = await other.store.take({
				eventIds: ["deal_updated"],
				limit: 1,
				fence: "other",
				leaseMs,
			});
			expect(taken).toEqual([]);
		}
	};
	expectOk(await world.send(), STORED);
	await settled(1);
	expect(outcomes()).toEqual(["done"]);
});
