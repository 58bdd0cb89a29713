import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createApp, createMetrics, type Metrics } from "partnerwire";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { openReceiver, type TestReceiver } from "../support/receiver.ts";
import {
	createIntegration,
	createLead,
	createPartner,
} from "../support/records.ts";

const TOKEN = "a-token-of-the-operator";
const ROOT = join(import.meta.dirname, "../../..");

let metrics: Metrics;
let api: Api;
let receiver: TestReceiver;

beforeAll(async () => {
	metrics = createMetrics();
	const { onAttempt, onBatch, onLedgerChecked } = metrics;
	api = await openApi({
		allowHttp: true,
		allowPrivate: true,
		metrics,
		...{ onAttempt, onBatch, onLedgerChecked },
	});
	metrics.watch(api.service);
	api.service.startWorker();
	receiver = await openReceiver();
	receiver.answerWith(200);
	await createIntegration(api, { webhook_url: receiver.url });
	const partner = await createPartner(api);
	await createLead(api, partner.uuid);
	await receiver.received(2);
});
afterAll(async () => {
	await receiver.close();
	await api.close();
});

const read = async () => (await fetch(`${api.url}/metrics`)).text();

test("they tell of deliveries, the queue, commits, the ledger and requests", async () => {
	await expect
		.poll(read)
		.toMatch(
			/^partnerwire_delivery_attempts_total\{outcome="delivered",class="none"\} 2$/m,
		);
	await expect
		.poll(read)
		.toMatch(/^partnerwire_queue_deliveries\{state="pending"\} 0$/m);
	const text = await read();
	for (const line of [
		/^partnerwire_events_matched 2$/m,
		/^partnerwire_attempts_24h\{outcome="delivered"\} 2$/m,
		/^partnerwire_integrations\{status="active"\} 1$/m,
		/^partnerwire_worker_concurrency [1-9]\d*$/m,
		/^partnerwire_group_commit_writes_count [1-9]\d*$/m,
		/^partnerwire_ledger_mismatch_integrations 0$/m,
		/^partnerwire_ledger_checked_timestamp_seconds [1-9][\d.]+$/m,
		/^partnerwire_http_requests_total\{operation="createLead",status="2xx"\} 1$/m,
		/^partnerwire_delivery_attempt_duration_seconds_count\{outcome="delivered"\} 2$/m,
		/^process_resident_memory_bytes \d+$/m,
	])
		expect(text).toMatch(line);
});

test("labels do not grow with what callers send", async () => {
	await api.request("GET", "/v1/no/such/path");
	await api.call("getLead", { params: { uuid: "x" } });
	await api.call("getLead", { key: "wrong", params: { uuid: "y" } });
	const text = await read();
	expect(text).toContain('{operation="unknown",status="4xx"} 1');
	expect(text).toContain('{operation="getLead",status="4xx"} 2');
	expect(text).not.toContain("/v1/");
});

const names = (text: string) =>
	new Set(text.match(/\bpartnerwire_[a-z0-9_]+/g) ?? []);

test.each(["grafana-dashboard.json", "prometheus-alerts.yml"])(
	"every metric that docs/deploy/%s names is there",
	async (file) => {
		const text = readFileSync(join(ROOT, "docs/deploy", file), "utf8");
		const used = names(text);
		expect(used.size).toBeGreaterThan(4);
		const known = names(
			(await read())
				.split("\n")
				.filter((line) => !line.startsWith("# HELP"))
				.join("\n"),
		);
		for (const name of used) expect(known).toContain(name);
	},
);

test("docs/operating.md names every metric", async () => {
	const page = readFileSync(join(ROOT, "docs/operating.md"), "utf8");
	const declared = (await read()).matchAll(/^# TYPE (partnerwire_\w+)/gm);
	for (const [, name] of declared) expect(page).toContain(`\`${name}\``);
});

type Access = [
	who: string,
	token: string | undefined,
	headers: Record<string, string>,
	status: number,
];
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const ACCESS: Access[] = [
	["this machine", undefined, {}, 200],
	["this machine, where there is a token", TOKEN, {}, 200],
	["a proxy on this machine", undefined, { "x-forwarded-for": "9.9.9.9" }, 404],
	["a proxy on this machine", TOKEN, { forwarded: "for=9.9.9.9" }, 401],
	["a page whose name leads here", undefined, { host: "evil.example" }, 404],
	["a page whose name leads here", TOKEN, { host: "evil.example" }, 401],
	["the token", TOKEN, bearer(TOKEN), 200],
	[
		"the token, through a proxy",
		TOKEN,
		{ ...bearer(TOKEN), via: "1.1 proxy" },
		200,
	],
	["a wrong token", TOKEN, bearer("another-token-of-somebody"), 401],
	["half a token", TOKEN, bearer(TOKEN.slice(0, -1)), 401],
	["no bearer", TOKEN, { authorization: TOKEN }, 401],
];
test.each(ACCESS)(
	"%s (token: %s) %j gets %i",
	async (_, token, headers, status) => {
		const app = createApp(api.service.core, { metrics, metricsToken: token });
		const address = headers.host === undefined ? "127.0.0.1:1" : headers.host;
		const request = new Request(`http://${address}/metrics`, {
			headers: { host: address, ...headers },
		});
		// The node server's view of the connection.
		Object.defineProperty(request, "ip", { value: "127.0.0.1" });
		const response = await app.request(request);
		expect(response.status).toBe(status);
		const text = await response.text();
		expect(text.includes("partnerwire_")).toBe(status === 200);
		expect(text).not.toContain(TOKEN);
	},
);

test("from another machine only the token opens them", async () => {
	const app = createApp(api.service.core, { metrics, metricsToken: TOKEN });
	const from = async (headers: Record<string, string>) => {
		const request = new Request("http://127.0.0.1/metrics", {
			headers: { host: "127.0.0.1", ...headers },
		});
		Object.defineProperty(request, "ip", { value: "192.0.2.7" });
		return (await app.request(request)).status;
	};
	expect(await from({})).toBe(401);
	expect(await from(bearer(TOKEN))).toBe(200);
});

test("without metrics there is no such path", async () => {
	const plain = await openApi();
	expect((await plain.request("GET", "/metrics")).status).toBe(404);
	await plain.close();
});
