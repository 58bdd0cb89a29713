import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@partnerwire/sdk";
import { expect, onTestFinished, test } from "vitest";
import { openPgbouncer } from "../kit/database/pgbouncer.ts";
import { openPostgres } from "../kit/database/postgres.ts";
import { findPartnership } from "../kit/program/demo-service.ts";
import { startPartnerwire } from "../kit/program/partnerwire.ts";

const WORKERS = 4;
const CAP = 5;
const LEADS = 120;
const CHANGES = 5;

/** A receiver that answers after a time. It records how many requests came at once, and the order of each record's. */
async function openSlowReceiver() {
	const inFlight = new Map<string, number>();
	const most = new Map<string, number>();
	const bodies = new Map<string, Set<string>>();
	const order = new Map<string, number[]>();
	let requests = 0;
	const server = createServer(async (request, response) => {
		const path = request.url ?? "";
		const now = (inFlight.get(path) ?? 0) + 1;
		inFlight.set(path, now);
		most.set(path, Math.max(most.get(path) ?? 0, now));
		let body = "";
		for await (const chunk of request) body += chunk;
		const [, payload = ""] = (request.headers.authorization ?? "").split(".");
		const { jti, sequence } = JSON.parse(
			Buffer.from(payload, "base64url").toString(),
		);
		requests++;
		if (!bodies.has(jti)) {
			const lane = `${path} ${JSON.parse(body).lead?.uuid}`;
			order.set(lane, [...(order.get(lane) ?? []), sequence]);
		}
		bodies.set(jti, (bodies.get(jti) ?? new Set()).add(body));
		await sleep(20);
		inFlight.set(path, (inFlight.get(path) ?? 1) - 1);
		response.end("{}");
	}).listen(0, "127.0.0.1");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		most,
		bodies,
		order,
		requests: () => requests,
	};
}

/** A real database server, the API, and workers in processes of their own. */
async function openFleet({ pooled = false } = {}) {
	const server = await openPostgres();
	const pooler = pooled ? await openPgbouncer(server.url) : null;
	onTestFinished(async () => {
		await pooler?.close();
		await server.close();
	});
	const env = {
		PARTNERWIRE_DATABASE: pooler?.through(server.url) ?? server.url,
		PARTNERWIRE_SECRET_KEY: "ab".repeat(32),
	};
	const args = ["--json", "--dev"];
	const serving = startPartnerwire(
		[
			...["serve", "--demo", "--no-worker", "--port", "0", "--rate-limit", "0"],
			...args,
		],
		{ env },
	);
	const { keys } = await serving.line("seeded");
	const { url } = await serving.line("ready");
	const apiKey = (keys as { full: string }).full;
	const client = createClient({ baseUrl: String(url), apiKey });
	const startWorker = async () => {
		const started = startPartnerwire(
			["worker", "--per-integration", String(CAP), ...args],
			{ env },
		);
		await started.line("ready");
		return started;
	};
	const receiver = await openSlowReceiver();
	for (const path of ["/one", "/two", "/three"])
		await client.createIntegration({
			body: { label: path, webhook_url: receiver.url + path },
		});
	const partnership_uuid = await findPartnership(client);
	/** Creates and changes leads. The events of all answered requests must arrive. */
	const write = async (leads: number) => {
		let answered = 0;
		const writeLead = async () => {
			const lead = await client.createLead({ body: { partnership_uuid } });
			answered++;
			for (let n = 0; n < CHANGES; n++) {
				const params = { uuid: lead.uuid };
				await client.updateLead({ params, body: { company_name: `N ${n}` } });
				answered++;
			}
		};
		for (let left = leads; left > 0; left -= 20)
			await Promise.all(Array.from({ length: Math.min(20, left) }, writeLead));
		return answered;
	};
	const settled = (patienceMs: number) =>
		expect
			.poll(
				async () => {
					const { data } = await client.getWebhookLedger();
					return data.map(({ pending, delivering }) => pending + delivering);
				},
				{ timeout: patienceMs, interval: 500 },
			)
			.toEqual([0, 0, 0]);
	return { server, client, startWorker, receiver, write, settled };
}

/** Checks that each record's deliveries arrived in order, with the same bytes for each `jti`. */
function expectOrderly({
	bodies,
	order,
}: Awaited<ReturnType<typeof openSlowReceiver>>) {
	for (const [lane, sequences] of order)
		expect(sequences, lane).toEqual([...sequences].sort((a, b) => a - b));
	for (const [jti, one] of bodies) expect(one.size, jti).toBe(1);
}

test.each([
	["directly", { pooled: false }],
	["through PgBouncer", { pooled: true }],
])(
	`%s ${WORKERS} worker processes never claim the same, keep each record's order, and share an integration's bound`,
	async (_, way) => {
		const { client, startWorker, receiver, write, settled } =
			await openFleet(way);
		const workers = await Promise.all(
			Array.from({ length: WORKERS }, () => startWorker()),
		);
		const events = await write(LEADS);
		await settled(120_000);
		expect(receiver.bodies.size).toBe(events * 3);
		expect(receiver.requests(), "no delivery went twice").toBe(events * 3);
		expectOrderly(receiver);
		for (const [path, most] of receiver.most)
			expect(most, `${path}, over all workers`).toBeLessThanOrEqual(CAP);
		for (const ledger of (await client.getWebhookLedger()).data)
			expect(ledger).toMatchObject({ balanced: true, delivered: events });
		for (const worker of workers) expect(await worker.stop()).toBe(0);
	},
);

test("a server that is restarted while workers deliver loses nothing and doubles nothing, and every record keeps its order", async () => {
	const { server, client, startWorker, receiver, write, settled } =
		await openFleet();
	let events = await write(60);
	const workers = await Promise.all(
		Array.from({ length: 3 }, () => startWorker()),
	);
	const some = (events * 3) / 10;
	await expect
		.poll(receiver.requests, { timeout: 30_000, interval: 10 })
		.toBeGreaterThan(some);
	await server.stop();
	expect(receiver.bodies.size, "there was more to do").toBeLessThan(events * 3);
	await server.start();
	events += await write(20);
	// If the answer to a claim's commit was lost, its deliveries become due again when their leases end.
	await settled(240_000);
	expect(receiver.bodies.size).toBe(events * 3);
	expect(receiver.requests(), "no delivery went twice").toBe(events * 3);
	expectOrderly(receiver);
	for (const ledger of (await client.getWebhookLedger()).data)
		expect(ledger).toMatchObject({ balanced: true, delivered: events });
	for (const worker of workers) expect(await worker.stop()).toBe(0);
});

test("a worker that is killed loses nothing, and what goes twice has the same jti", async () => {
	const { client, startWorker, receiver, write, settled } = await openFleet();
	const workers = await Promise.all(
		Array.from({ length: 3 }, () => startWorker()),
	);
	let events = await write(40);
	await workers[0]?.stop("SIGKILL");
	events += await write(40);
	// Well under a lease of 70 s: others take over what the killed worker had claimed.
	await settled(30_000);
	expect(receiver.bodies.size).toBe(events * 3);
	for (const [jti, one] of receiver.bodies) expect(one.size, jti).toBe(1);
	for (const ledger of (await client.getWebhookLedger()).data)
		expect(ledger).toMatchObject({ balanced: true, delivered: events });
	for (const worker of workers.slice(1)) expect(await worker.stop()).toBe(0);
});
