import { memoryStore } from "@partnerwire/receiver";
import { expect } from "vitest";
import { NOW_S, tok } from "#kit/endpoints/tokens.ts";
import {
	type Case,
	createGate,
	DUPLICATE,
	expectOk,
	expectRefusal,
	type Options,
} from "./case.ts";

const bearer = (more: object) => ({ authorization: `Bearer ${tok(more)}` });
const deal = (more: object) =>
	JSON.stringify({ deal: { uuid: "d", ...more }, configuration: [] });
const timed = (label: string) => deal({ label, updated_at: `at ${label}` });
/** A store whose leases and lifetimes follow the world's clock. */
const onClock: Options = (clock) => ({
	dedup: memoryStore({ clock: clock.now }),
});

const down = () => Promise.reject(new Error("redis://user:pw@host refused"));
const never = () => new Promise<never>(() => {});

function expectFailed(answer: Parameters<typeof expectRefusal>[0]): void {
	expectRefusal(answer, "HANDLER_FAILED");
}

/** Cases F: duplicates. */
export const DEDUP_CASES: readonly Case[] = [
	{
		id: "F01",
		title: "fifty copies at once: the handler runs once",
		async run(world) {
			const gate = createGate();
			world.work = () => gate.opened;
			const answers = Promise.all(
				Array.from({ length: 50 }, () => world.send()),
			);
			gate.open();
			const bodies = (await answers).map((answer) => answer.text);
			expect(world.runs.length).toBe(1);
			expect(bodies.filter((body) => body.includes("duplicate")).length).toBe(
				49,
			);
		},
	},
	{
		id: "F02",
		title: "a failed handler's event runs again when it is retried",
		async run(world) {
			let attempts = 0;
			world.work = () => {
				if (++attempts === 1) throw new Error("first");
			};
			expectFailed(await world.send());
			expectOk(await world.send());
			expectOk(await world.send(), DUPLICATE);
			expect(attempts).toBe(2);
		},
	},
	{
		id: "F03",
		title: "a dead holder's claim is taken over after its lease",
		options: (clock) => ({
			dedup: memoryStore({ clock: clock.now }),
			deadlineMs: 20,
			leaseMs: 15_000,
		}),
		async run(world) {
			world.work = never;
			expectRefusal(await world.send(), "DEADLINE");
			world.work = () => {};
			expectRefusal(await world.send(), "IN_PROGRESS");
			world.clock.advance(15_000);
			expectOk(await world.send());
			expect(world.runs.length).toBe(2);
		},
	},
	{
		id: "F04",
		title: "copies that come while the first runs get its outcome",
		async run(world, adapter) {
			const gate = createGate();
			world.work = async () => {
				await gate.opened;
				throw new Error("it fails in the end");
			};
			const both = [world.send(), world.send()];
			if (adapter.socket) await world.read(2);
			gate.open();
			for (const answer of await Promise.all(both)) expectFailed(answer);
			expect(world.runs.length).toBe(1);
			world.work = () => {};
			expectOk(await world.send());
		},
	},
	{
		id: "F06",
		title: "A → B → A: three events without a timestamp, two with one",
		async run({ send, runs }) {
			let iat = NOW_S;
			const next = (body: string) => send({ ...bearer({ iat: --iat }), body });
			for (const label of ["A", "B", "A"])
				expectOk(await next(deal({ label })));
			expectOk(await next(deal({ label: "A" })), DUPLICATE);
			for (const label of ["A", "B"]) expectOk(await next(timed(label)));
			expectOk(await next(timed("A")), DUPLICATE);
			expect(runs.length).toBe(5);
		},
	},
	{
		id: "F06 window",
		title: "without a jti the payload decides for 30 h",
		options: onClock,
		async run({ send, clock }) {
			const hours = (count: number) => clock.advance(count * 60 * 60 * 1000);
			const fresh = () => {
				const iat = Math.floor(clock.now() / 1000);
				return { ...bearer({ iat, exp: iat + 60 }), body: timed("A") };
			};
			expectOk(await send(fresh()));
			hours(29);
			expectOk(await send(fresh()), DUPLICATE);
			hours(1);
			expectOk(await send(fresh()));
		},
	},
	{
		id: "F06 jti",
		title: "the table of docs/decisions.md#duplicates-at-the-receiver",
		async run({ send, runs }) {
			const one = bearer({ jti: "one" });
			expectOk(await send({ ...one, body: timed("A") }));
			expectOk(await send({ ...one, body: timed("A") }), DUPLICATE);
			expectOk(await send({ ...bearer({ jti: "two" }), body: timed("A") }));
			expectOk(await send({ body: timed("A") }), DUPLICATE);
			expectOk(await send({ body: timed("C") }));
			expectOk(
				await send({ ...bearer({ jti: "three" }), body: timed("C") }),
				DUPLICATE,
			);
			expect(runs.length).toBe(3);
		},
	},
	{
		id: "F06 scope",
		title: "another company's or another event's same payload is another event",
		async run({ send, runs }) {
			const body = timed("A");
			expectOk(await send({ body }));
			expectOk(await send({ ...bearer({ company_uuid: "other" }), body }));
			expectOk(await send({ ...bearer({ event_id: "deal_created" }), body }));
			const other = bearer({ user_uuid: "other" });
			expectOk(await send({ ...other, body }), DUPLICATE);
			expect(runs.length).toBe(3);
		},
	},
	{
		id: "F08",
		title: "the same jti with another payload runs, flagged as a conflict",
		async run({ send, runs, seen }) {
			const one = bearer({ jti: "one" });
			expectOk(await send({ ...one, body: timed("A") }));
			expectOk(await send({ ...one, body: timed("B") }));
			expect(runs.map((run) => run.conflict)).toEqual([false, true]);
			expect(seen.map((each) => each.conflict)).toEqual([false, true]);
		},
	},
	{
		id: "F09",
		title: "a store that is down: the handler runs without it, one warning",
		options: {
			dedup: { claim: down, commit: down, release: down, forget: down },
		},
		async run({ send, runs, log }) {
			expectOk(await send());
			expectOk(await send());
			expect(runs.map((run) => run.dedup)).toEqual([
				"unavailable",
				"unavailable",
			]);
			expect(log.length).toBe(1);
			expect(log[0]).not.toContain("pw@host");
		},
	},
	{
		id: "F09 hangs",
		title: "a store that hangs costs its limit and no more",
		options: {
			dedup: { claim: never, commit: never, release: never, forget: never },
			storeTimeoutMs: 10,
		},
		async run({ send, runs, log }) {
			expectOk(await send());
			expect(runs.length).toBe(1);
			expect(log.length).toBe(1);
		},
	},
	{
		id: "F09 closed",
		title: "onStoreError: closed answers 503 and runs nothing",
		options: {
			dedup: { claim: down, commit: down, release: down, forget: down },
			onStoreError: "closed",
		},
		async run({ send, runs, seen }) {
			expectRefusal(await send(), "STORE_UNAVAILABLE");
			expect(runs.length).toBe(0);
			expect(seen[0]?.outcome).toBe("unavailable");
		},
	},
	{
		id: "F12",
		title: "a duplicate is 200 with a body that says so",
		async run({ send }) {
			await send();
			const { status, text } = await send();
			expect(status).toBe(200);
			expect(text).toBe('{"ok":true,"duplicate":true}');
		},
	},
	{
		id: "F14",
		title: "no header can make an event new, or old",
		async run({ send, runs }) {
			const headers = (id: string) => ({
				"x-request-id": id,
				"idempotency-key": id,
				"webhook-id": id,
			});
			expectOk(await send({ headers: headers("1") }));
			expectOk(await send({ headers: headers("2") }), DUPLICATE);
			expectOk(await send({ headers: headers("2"), body: timed("other") }));
			expect(runs.length).toBe(2);
		},
	},
	{
		id: "F15",
		title: "the receiver's clock going back does not bring an event back",
		options: { expToleranceS: 7200 },
		async run({ send, clock }) {
			expectOk(await send());
			clock.advance(-60_000);
			expectOk(await send(), DUPLICATE);
			clock.advance(3_600_000);
			expectOk(await send(), DUPLICATE);
		},
	},
	{
		id: "F06 forget",
		title: "forget lets a payload run again",
		async run({ send, runs, receiver }) {
			expectOk(await send());
			expect(await receiver.forget(runs[0]?.fingerprint ?? "")).toBe(1);
			expectOk(await send());
			expect(runs.length).toBe(2);
		},
	},
	{
		id: "F06 canonical",
		title:
			"key order, space and escapes make no other payload; lone surrogates do",
		async run({ send, runs }) {
			expectOk(
				await send({
					body: '{"deal":{"uuid":"d","label":"é/","updated_at":"t"},"configuration":[]}',
				}),
			);
			expectOk(
				await send({
					body: '{ "configuration" : [],\n"deal":{"updated_at":"t","label":"\\u00e9\\/","uuid":"d"} }',
				}),
				DUPLICATE,
			);
			const lone = (unit: string) =>
				`{"deal":{"uuid":"d","label":"\\u${unit}","updated_at":"t"},"configuration":[]}`;
			expectOk(await send({ body: lone("d800") }));
			expectOk(await send({ body: lone("dbff") }));
			expectOk(await send({ body: lone("fffd") }));
			expectOk(await send({ body: lone("D800") }), DUPLICATE);
			expect(runs.length).toBe(4);
		},
	},
];
