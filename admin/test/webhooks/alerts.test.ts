import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { listenFlood } from "#kit/endpoints/floods.ts";
import { type Api, openApi } from "#kit/program/api.ts";
import { type AlertOptions, createAlerts } from "../../src/service/alerts.ts";
import {
	openReceiver,
	type Received,
	type TestReceiver,
	verifyToken,
} from "../support/receiver.ts";
import {
	createIntegration,
	createLead,
	createPartner,
} from "../support/records.ts";

const SECRET = "a-secret-of-the-operator";
const HOUR_MS = 3_600_000;
const { signal } = new AbortController();

let api: Api;
let endpoint: TestReceiver;
let operator: TestReceiver;
let partner: { uuid: string };
const open: { close(): Promise<unknown> }[] = [];

beforeEach(async () => {
	api = await openApi({ allowHttp: true, allowPrivate: true });
	api.service.startWorker();
	endpoint = await openReceiver();
	operator = await openReceiver();
	operator.answerWith(200);
	await createIntegration(api, {
		webhook_url: `${endpoint.url}?key=hidden`,
		event_ids: ["lead_created"],
	});
	partner = await createPartner(api);
});
afterEach(async () => {
	for (const one of open.splice(0)) await one.close();
	await endpoint.close();
	await operator.close();
	await api.close();
});

/** One process that watches: what it told, and a way to let it look. */
function watch(options: Partial<AlertOptions> = {}) {
	const told: string[] = [];
	const alerts = createAlerts(api.service.store, api.clock, {
		endpoint: { url: operator.url, secret: SECRET },
		ageMs: HOUR_MS,
		everyMs: HOUR_MS,
		onAlert: ({ kind }) => told.push(kind),
		onSent: ({ kind }, outcome) => told.push(`${kind} ${outcome}`),
		...options,
	});
	open.push(alerts);
	return {
		told,
		close: alerts.close,
		async look() {
			for (const { run } of alerts.chores) await run(signal);
			return told.splice(0);
		},
	};
}

/** A lead whose event the endpoint answers with the given status. */
async function deliver(status: number) {
	endpoint.answerWith(status);
	const before = (await attempts()).length;
	api.clock.advance(1);
	await createLead(api, partner.uuid);
	await expect.poll(async () => (await attempts()).length).toBe(before + 1);
}
const attempts = () => {
	const { store } = api.service;
	return store.read.query.select().from(store.tables.attempt);
};

const claimsOf = async (request: Received) =>
	(await verifyToken(request, SECRET, api.clock())).payload;

test("a first failure and the recovery are reported once, signed like a webhook, without a URL", async () => {
	const { look } = watch();
	expect(await look()).toEqual([]);
	await deliver(500);
	expect(await look()).toEqual(["failing", "failing sent"]);
	expect(await look()).toEqual([]);
	expect(await watch().look()).toEqual([]);

	const [request] = (await operator.received(1)) as [Received];
	const { alert } = JSON.parse(request.text);
	expect(alert).toMatchObject({
		kind: "failing",
		message: expect.stringMatching(
			/^The integration .* has begun to fail: .*500/,
		),
		status: "active",
		waiting: 1,
	});
	expect(request.text).not.toContain("hidden");
	const page = readFileSync(
		join(import.meta.dirname, "../../../docs/operating.md"),
		"utf8",
	);
	const [, shown = ""] = /```json\n(.*?)```/s.exec(page) ?? [];
	expect(Object.keys(alert)).toEqual(Object.keys(JSON.parse(shown).alert));
	expect(await claimsOf(request)).toMatchObject({
		event_id: "alert_failing",
		company_uuid: api.seeded.company_uuid,
		jti: alert.uuid,
		payload_sha256: expect.stringMatching(/^[\w-]{43}$/),
	});

	await deliver(200);
	expect(await look()).toEqual(["recovered", "recovered sent"]);
	expect(await look()).toEqual([]);
});

test("of two processes one tells", async () => {
	await deliver(500);
	const [one, other] = [watch(), watch()];
	const both = await Promise.all([one.look(), other.look()]);
	expect(both.flat().sort()).toEqual(["failing", "failing sent"]);
	expect(operator.requests).toHaveLength(1);
});

test("an operator's endpoint that answers without end is cut, and tried again later", async () => {
	const flooding = await listenFlood({
		begin: "",
		again: "HTTP/1.1 102 P\r\n\r\n",
	});
	const failures: (string | null)[] = [];
	const { look } = watch({
		endpoint: { url: flooding.url, secret: SECRET },
		onSent: (_, outcome, failure) => failures.push(outcome, failure),
	});
	await deliver(500);
	await look();
	expect(failures).toEqual([
		"retried",
		expect.stringContaining("larger than an answer may be"),
	]);
});

test("an operator's endpoint that does not answer is given up when the service has ended its attempts", async () => {
	const failures: (string | null)[] = [];
	const { look, close } = watch({
		onSent: (_, __, failure) => failures.push(failure),
	});
	operator.answerWith(null);
	await deliver(500);
	const looked = look();
	await operator.received(1);
	await close({ graceMs: 0 });
	await looked;
	expect(failures).toEqual([expect.stringMatching(/dispatcher is stopping/)]);
});

test("a pause of the service's own is reported", async () => {
	const { look } = watch();
	await deliver(410);
	expect(await look()).toEqual(["paused", "paused sent"]);
	const [request] = (await operator.received(1)) as [Received];
	expect(JSON.parse(request.text).alert).toMatchObject({
		kind: "paused",
		pause_reason: "gone",
		status: "paused",
	});
});

test("where the operator's endpoint fails it is tried again, boundedly, under the same jti; deliveries do not notice", async () => {
	const { look } = watch();
	operator.answerWith(500);
	await deliver(500);
	expect(await look()).toEqual(["failing", "failing retried"]);
	expect(await look()).toEqual([]);
	await deliver(200);
	for (const [afterMs, outcome] of [
		[30_000, "retried"],
		[300_000, "retried"],
		[1_800_000, "given_up"],
	] as const) {
		api.clock.advance(afterMs);
		const told = (await look()).filter((one) => one.startsWith("failing"));
		expect(told).toEqual([`failing ${outcome}`]);
	}
	api.clock.advance(24 * HOUR_MS);
	expect((await look()).filter((one) => /^failing/.test(one))).toEqual([]);
	const jtis = [];
	for (const request of operator.requests)
		if (request.text.includes('"kind":"failing"'))
			jtis.push(JSON.parse(request.text).alert.uuid);
	expect(jtis).toHaveLength(4);
	expect(new Set(jtis).size).toBe(1);
});

test("without an endpoint they are only told to the log", async () => {
	const told: string[] = [];
	const alerts = createAlerts(api.service.store, api.clock, {
		ageMs: HOUR_MS,
		everyMs: HOUR_MS,
		onAlert: ({ kind }) => told.push(kind),
		onSent: () => told.push("sent"),
	});
	open.push(alerts);
	await deliver(500);
	for (const { run } of alerts.chores) await run(signal);
	expect(told).toEqual(["failing"]);
	expect(operator.requests).toEqual([]);
});
