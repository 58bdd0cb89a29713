import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import {
	type EventStream,
	openEventStream,
	type StreamedEvent,
} from "../kit/program/event-stream.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const CLIENTS = 200;
const PER_SESSION = 10;
const SLOW = 20;

async function signIn(url: string, api_key: string) {
	const answer = await fetch(`${url}/_admin/session`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ api_key }),
	});
	const [cookie = ""] = answer.headers.getSetCookie();
	return { cookie: cookie.split(";")[0] as string };
}

const residentMb = (pid: number | undefined) => {
	const status = readFileSync(`/proc/${pid}/status`, "utf8");
	return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
};

/** A client that requests the stream and never reads it. */
function openSlow(url: string, cookie: string): Promise<Socket> {
	const { hostname, port } = new URL(url);
	return new Promise((resolve) => {
		const socket = connect(Number(port), hostname, () => {
			socket.write(
				`GET /_admin/stream HTTP/1.1\r\nHost: localhost\r\nCookie: ${cookie}\r\n\r\n`,
			);
			socket.once("readable", () => resolve(socket));
		});
		socket.on("error", () => {});
	});
}

test("200 browsers see what another process does, in less than 50 MB; SIGTERM ends their streams", async () => {
	const folder = createTempFolder();
	const watched = await startDemoService(folder, { args: ["--no-worker"] });
	const { keys, url, child } = watched;
	const other = await startDemoService(folder, {
		keys,
		args: ["--rate-limit", "0", "--no-worker"],
	});
	await other.client.createIntegration({
		body: { label: "CRM", webhook_url: "http://127.0.0.1:9/" },
	});
	const partnership_uuid = await findPartnership(other.client);
	const addLeads = async (many: number) => {
		const made: Promise<{ uuid: string }>[] = [];
		for (let count = 0; count < many; count++)
			made.push(other.client.createLead({ body: { partnership_uuid } }));
		return (await Promise.all(made)).at(-1)?.uuid as string;
	};

	const before = residentMb(child.pid);
	const streams: EventStream[] = [];
	const slow: Socket[] = [];
	while (streams.length < CLIENTS) {
		const session = await signIn(url, keys.read);
		for (let count = 0; count < PER_SESSION; count++)
			streams.push(await openEventStream(url, session));
		if (slow.length < SLOW) slow.push(await openSlow(url, session.cookie));
	}
	for (let round = 0; round < 20; round++) {
		const lead = await addLeads(100);
		const { data } = await other.client.listWebhookEvents({
			query: { record_uuid: lead },
		});
		const seen = (told: StreamedEvent) =>
			told.event === "overflow" || told.data.uuid === data[0]?.uuid;
		await Promise.all(streams.map((stream) => stream.until(seen)));
	}
	const grown = residentMb(child.pid) - before;
	expect(grown).toBeLessThan(50);

	expect(await watched.stop()).toBe(0);
	await Promise.all(streams.map(({ ended }) => ended));
	for (const socket of slow) socket.destroy();
	expect(await other.stop()).toBe(0);
});
