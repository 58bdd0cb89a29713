import { readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import type { EventBody } from "@partnerwire/wire";
import { expect, onTestFinished, test } from "vitest";
import {
	createFakeWire,
	readClaims,
	toResult,
} from "#kit/endpoints/fake-wire.ts";
import { answer, listenHttp } from "#kit/endpoints/receivers.ts";
import { createDispatcher, type DispatcherOptions } from "../src/index.ts";
import { SECRET } from "./support/wires.ts";

const fixture = new URL(
	"../../fixtures/events/lead_created.json",
	import.meta.url,
);
const { lead } = JSON.parse(
	readFileSync(fixture, "utf8"),
) as EventBody<"lead_created">;
const base: DispatcherOptions = {
	url: "https://receiver.example/hook",
	secret: SECRET,
	companyUuid: "01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01",
	userUuid: "01934f2a-7c01-7c44-9b52-0d7e6a1f3c02",
	retry: { minDelayMs: 0, maxDelayMs: 0 },
};

test("emit repeats the same delivery until it is taken, over one set of connections", async () => {
	const statuses = [500, 204, 200, 200];
	const wire = createFakeWire(() => toResult(statuses.shift() ?? 200, 0));
	const dispatcher = createDispatcher({ ...base, wire });
	const first = await dispatcher.emit("lead_created", lead, { sequence: 7 });
	expect(first.attempts.map(({ status }) => status)).toEqual([500, 204, 200]);
	const second = await dispatcher.emit("lead_updated", lead);
	expect(second.delivered).toBe(true);
	const [one, two, three, other] = wire.arrivals;
	expect([two, three]).toEqual([one, one]);
	expect(one?.sequence).toBe(7);
	expect(other?.jti).not.toBe(one?.jti);
});

test("send makes one attempt, and a call's own user and jti win", async () => {
	const tokens: string[] = [];
	const wire = createFakeWire((_, { token }) => {
		tokens.push(token);
		return toResult(503, 0);
	});
	const dispatcher = createDispatcher({ ...base, wire });
	const own = { userUuid: "u", jti: "j" };
	expect((await dispatcher.send("lead_created", lead, own)).delivered).toBe(
		false,
	);
	expect(tokens.map(readClaims)).toMatchObject([
		{ user_uuid: "u", jti: "j", company_uuid: base.companyUuid },
	]);
});

test("the additive claims can be left out, and a missing user is refused before anything is sent", async () => {
	const tokens: string[] = [];
	const wire = createFakeWire((_, { token }) => {
		tokens.push(token);
		return toResult(200, 0);
	});
	const { userUuid, ...anonymous } = base;
	const dispatcher = createDispatcher({
		...anonymous,
		wire,
		jti: false,
		payloadSha256: false,
	});
	await expect(dispatcher.send("lead_created", lead)).rejects.toThrow(
		"userUuid is missing",
	);
	await dispatcher.send("lead_created", lead, { userUuid });
	expect(Object.keys(readClaims(tokens[0] ?? ""))).toEqual([
		"company_uuid",
		"user_uuid",
		"event_id",
		"iat",
		"exp",
	]);
	expect(tokens).toHaveLength(1);
});

test("its own connections are kept alive, and closed with it", async () => {
	const receiver = await listenHttp(answer(200));
	const dispatcher = createDispatcher({
		...base,
		url: receiver.url,
		wireOptions: { allowHttp: true, allowPrivate: true },
	});
	onTestFinished(() => dispatcher.close());
	for (let sent = 0; sent < 3; sent++)
		expect((await dispatcher.send("lead_created", lead)).status).toBe(200);
	expect(receiver.sockets.length).toBeLessThan(3);
	await dispatcher.close();
	await expect(dispatcher.send("lead_created", lead)).rejects.toThrow("closed");
});

test.each([
	["a delay", {}],
	["a Retry-After", { retryAfterMs: 200_000 }],
])(
	"closing ends the wait for %s: emit resolves with its last attempt",
	async (_name, more) => {
		const wire = createFakeWire(() => toResult(503, 0, more));
		let onFailedAttempt = () => {};
		const hasFailed = new Promise<void>((resolve) => {
			onFailedAttempt = resolve;
		});
		const dispatcher = createDispatcher({
			...base,
			wire,
			retry: { minDelayMs: 60_000, onFailedAttempt },
		});
		const emitting = dispatcher.emit("lead_created", lead);
		await hasFailed;
		await turn();
		await dispatcher.close();
		const { status, attempts } = await emitting;
		expect([status, attempts.length]).toEqual([503, 1]);
		await expect(dispatcher.emit("lead_created", lead)).rejects.toThrow(
			"the dispatcher is closed",
		);
	},
);

test.each([200, 500])(
	"closing lets an attempt in flight end: emit resolves with its %i",
	async (status) => {
		let finish = () => {};
		let onAsked = () => {};
		const isAsked = new Promise<void>((resolve) => {
			onAsked = resolve;
		});
		const { url } = await listenHttp((request, response) => {
			finish = () => answer(status)(request, response);
			onAsked();
		});
		const wireOptions = { allowHttp: true, allowPrivate: true };
		const dispatcher = createDispatcher({ ...base, url, wireOptions });
		const emitting = dispatcher.emit("lead_created", lead);
		await isAsked;
		const closing = dispatcher.close();
		finish();
		expect(await emitting).toMatchObject({ status, attempts: [{ status }] });
		await closing;
	},
);

test("a caller's signal stops an event that is under way, and its reason is reported", async () => {
	const stopping = new AbortController();
	const wire = createFakeWire(() => toResult(503, 0));
	const dispatcher = createDispatcher({
		...base,
		wire,
		retry: {
			minDelayMs: 60_000,
			onFailedAttempt: () => stopping.abort(new Error("enough")),
		},
	});
	for (const _when of ["under way", "before"])
		await expect(
			dispatcher.emit("lead_created", lead, { signal: stopping.signal }),
		).rejects.toThrow("enough");
	expect(wire.arrivals).toHaveLength(1);
});
