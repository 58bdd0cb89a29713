import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createReceiver, type Receiver } from "@partnerwire/receiver";
import { catchUp, trackSequence } from "@partnerwire/receiver/catch-up";
import { toNodeHandler } from "@partnerwire/receiver/node";
import { sqliteStore } from "@partnerwire/receiver/sqlite";
import { createClient } from "@partnerwire/sdk";
import Database from "better-sqlite3";
import { expect, onTestFinished, test } from "vitest";
import { openApi } from "../kit/program/api.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const HOUR_MS = 3_600_000;

/** A receiver's process. Only its database and its saved position survive it. */
function startReceiver(secret: string, file: string, clock: () => number) {
	const database = new Database(file);
	const ran: number[] = [];
	const sequence = trackSequence({ clock });
	const receiver = createReceiver({
		secret,
		clock,
		dedup: sqliteStore(database, { clock }),
		onVerdict: sequence.observe,
	}).on("*", ({ sequence: number }) => ran.push(number ?? 0));
	return { receiver, ran, sequence, stop: () => database.close() };
}

async function listenWith(receiver: Receiver, port = 0): Promise<Server> {
	const server = createServer(toNodeHandler(receiver));
	server.listen(port, "127.0.0.1");
	await once(server, "listening");
	return server;
}

function hangUp(server: Server): Promise<unknown> {
	server.closeAllConnections();
	return new Promise((resolve) => server.close(resolve));
}

test("a receiver that was away for an hour, its retries exhausted, catches up: nothing is missed, nothing runs twice", async () => {
	const api = await openApi({
		allowHttp: true,
		allowPrivate: true,
		retrySchedule: [0, 5, 300],
	});
	onTestFinished(() => api.close());
	const { clock, service } = api;
	service.startWorker();
	const client = createClient({
		baseUrl: api.url,
		apiKey: api.seeded.keys.full,
	});
	const placeholder = createServer();
	placeholder.listen(0, "127.0.0.1");
	await once(placeholder, "listening");
	const { port } = placeholder.address() as AddressInfo;
	await hangUp(placeholder);
	const { id, integration_uuid: secret } = await client.createIntegration({
		body: { label: "CRM", webhook_url: `http://127.0.0.1:${port}/hook` },
	});
	const { uuid: partnership_uuid } = await client.createPartner({
		body: { name: "Globex", partner_type: "referral" },
	});
	const addLead = (company_name: string) =>
		client.createLead({ body: { partnership_uuid, company_name } });
	const list = async () => {
		const query = { integration_id: id, per_page: 100 };
		return (await client.listWebhookEvents({ query })).data.reverse();
	};
	const statuses = async () => (await list()).map(({ status }) => status);
	const passTime = (ms: number) => {
		clock.advance(ms);
		service.store.wake();
	};
	/** Moves the clock to the next planned attempt after everything due has been tried. */
	async function passToNextAttempt() {
		const waiting = (await list()).filter(({ status }) => status !== "failed");
		const planned = waiting.flatMap(({ next_attempt_at }) =>
			next_attempt_at === null ? [] : [Date.parse(next_attempt_at) - clock()],
		);
		const isBusy = waiting.some(({ status }) => status === "delivering");
		if (!isBusy && planned.length > 0) passTime(Math.max(0, ...planned));
	}
	const file = join(createTempFolder(), "dedup.db");

	const before = startReceiver(secret, file, clock);
	let server = await listenWith(before.receiver, port);
	passTime(10_000);
	await expect.poll(statuses).toEqual(["delivered"]);
	const first = await addLead("Before");
	await expect.poll(statuses).toEqual(["delivered", "delivered"]);
	const saved = before.sequence.position();
	expect([saved, before.ran]).toEqual([2, [1, 2]]);
	await hangUp(server);
	before.stop();

	// The receiver is away for an hour: events of several records, each tried three times and given up.
	const stoppedAt = clock();
	for (const name of ["One", "Two", "Three"]) await addLead(name);
	for (const company_name of ["Changed", "Changed again"])
		await client.updateLead({
			params: { uuid: first.uuid },
			body: { company_name },
		});
	await expect
		.poll(
			async () => {
				await passToNextAttempt();
				return (await statuses()).slice(2);
			},
			{ interval: 5 },
		)
		.toEqual(Array.from({ length: 5 }, () => "failed"));
	expect(clock()).toBeLessThan(stoppedAt + HOUR_MS);
	passTime(stoppedAt + HOUR_MS - clock());
	// The last event's first attempt has failed, and its retry is still planned.
	await addLead("Last");
	await expect
		.poll(async () => {
			const last = (await list()).at(-1);
			return last?.attempt_count;
		})
		.toBe(1);

	const after = startReceiver(secret, file, clock);
	onTestFinished(() => {
		after.stop();
	});
	server = await listenWith(after.receiver, port);
	onTestFinished(() => void hangUp(server));
	// From before the saved position: events that ran in the previous process are recognised.
	const result = await catchUp({
		receiver: after.receiver,
		client,
		integrationId: id,
		from: (saved ?? 0) - 1,
		sequence: after.sequence,
		limit: 3,
	});
	expect(result).toMatchObject({
		last: 8,
		complete: true,
		handled: 6,
		duplicates: 1,
		failed: null,
	});
	expect(after.ran).toEqual([3, 4, 5, 6, 7, 8]);

	// The retry arrives, and some are redelivered by hand. None of them runs twice.
	passTime(5_000 * 1.3);
	await expect.poll(async () => (await statuses()).at(-1)).toBe("delivered");
	for (const { uuid, status } of await list())
		if (status === "failed")
			await client.redeliverWebhookEvent({ params: { uuid } });
	service.store.wake();
	await expect
		.poll(statuses)
		.toEqual(Array.from({ length: 8 }, () => "delivered"));
	expect(after.ran).toHaveLength(6);
	expect(after.sequence.position()).toBe(8);
});
