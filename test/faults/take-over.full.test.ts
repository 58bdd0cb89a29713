// A killed worker's claims are taken over by another process, and a stopped worker's are not, on both engines. Each worker
// is caught in the middle of an attempt, which the receiver never answers.
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createClient } from "@partnerwire/sdk";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../kit/database/postgres.ts";
import { findPartnership } from "../kit/program/demo-service.ts";
import {
	type Partnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/** Less than half of what a lease lasts. */
const UNDER_LEASE = { timeout: 30_000, interval: 20 };

/** A receiver that answers only once it is told to. It records the `jti` and the body of each request. */
async function openHoldingReceiver() {
	const requests: { jti: string; body: string }[] = [];
	const open: ServerResponse[] = [];
	let answers = false;
	const server = createServer(async (request, response) => {
		let body = "";
		for await (const chunk of request) body += chunk;
		const [, payload = ""] = (request.headers.authorization ?? "").split(".");
		const { jti } = JSON.parse(Buffer.from(payload, "base64url").toString());
		requests.push({ jti, body });
		if (answers) response.end("{}");
		else open.push(response);
	}).listen(0, "127.0.0.1");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	await new Promise((resolve) => server.once("listening", resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}/`,
		requests,
		holdNext() {
			answers = false;
		},
		answerNext() {
			answers = true;
		},
		answerAll() {
			answers = true;
			for (const response of open.splice(0)) response.end("{}");
		},
	};
}

const engines = {
	SQLite: async () => join(createTempFolder(), "test.db"),
	PostgreSQL: async () => {
		const server = await openPostgres();
		onTestFinished(() => server.close());
		return server.url;
	},
};

async function openFleet(engine: keyof typeof engines) {
	const env = {
		PARTNERWIRE_DATABASE: await engines[engine](),
		PARTNERWIRE_SECRET_KEY: "ab".repeat(32),
	};
	const serving = startPartnerwire(
		["serve", "--demo", "--no-worker", "--port", "0", "--json", "--dev"],
		{ env },
	);
	const { keys } = await serving.line("seeded");
	const { url } = await serving.line("ready");
	const apiKey = (keys as { full: string }).full;
	const client = createClient({ baseUrl: String(url), apiKey });
	const receiver = await openHoldingReceiver();
	await client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	const partnership_uuid = await findPartnership(client);
	const startWorker = async (): Promise<Partnerwire> => {
		const worker = startPartnerwire(["worker", "--json", "--dev"], { env });
		await worker.line("ready");
		return worker;
	};
	/** Adds a lead and waits until its delivery has arrived. */
	const addLead = async () => {
		const before = receiver.requests.length;
		await client.createLead({ body: { partnership_uuid } });
		await expect
			.poll(() => receiver.requests.length, UNDER_LEASE)
			.toBeGreaterThan(before);
		return receiver.requests[before];
	};
	return { client, receiver, startWorker, addLead };
}

test.each(Object.keys(engines) as (keyof typeof engines)[])(
	"on %s a killed worker's delivery goes out again from another, and from the one that is started again",
	async (engine) => {
		const { client, receiver, startWorker, addLead } = await openFleet(engine);
		const killed = await startWorker();
		const first = await addLead();
		const other = await startWorker();
		receiver.answerNext();
		await killed.stop("SIGKILL");
		await expect.poll(() => receiver.requests.length, UNDER_LEASE).toBe(2);
		expect(receiver.requests[1]).toEqual(first);
		receiver.holdNext();
		const second = await addLead();
		receiver.answerNext();
		await other.stop("SIGKILL");
		await startWorker();
		await expect.poll(() => receiver.requests.length, UNDER_LEASE).toBe(4);
		expect(receiver.requests[3]).toEqual(second);
		await expect
			.poll(async () => (await client.getWebhookLedger()).data)
			.toMatchObject([{ balanced: true, matched: 2, delivered: 2 }]);
	},
);

test.each(Object.keys(engines) as (keyof typeof engines)[])(
	"on %s a worker whose process stands still keeps its claims, while a killed worker's are taken",
	async (engine) => {
		const { client, receiver, startWorker, addLead } = await openFleet(engine);
		const still = await startWorker();
		const kept = await addLead();
		still.child.kill("SIGSTOP");
		const killed = await startWorker();
		const lost = await addLead();
		await startWorker();
		receiver.answerNext();
		await killed.stop("SIGKILL");
		await expect.poll(() => receiver.requests.length, UNDER_LEASE).toBe(3);
		expect(receiver.requests[2]).toEqual(lost);
		receiver.answerAll();
		still.child.kill("SIGCONT");
		await expect
			.poll(async () => (await client.getWebhookLedger()).data)
			.toMatchObject([{ balanced: true, matched: 2, delivered: 2 }]);
		const copies = receiver.requests.filter(({ jti }) => jti === kept?.jti);
		expect(copies, "sent once").toHaveLength(1);
	},
);
