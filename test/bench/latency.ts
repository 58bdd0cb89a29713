import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { Pool } from "undici";
import { type Company, emit, openCompany } from "./kit/company.ts";
import { ENTITY, encodeBody } from "./kit/delivery-load.ts";
import type { Part } from "./kit/report.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

const EVERY_MS = 20;

/** Compares the time from an event's commit to its arrival, at 50 a second in one process, with a direct POST of the same body. */
export const benchLatency: Part = ({ quick }) =>
	inTempFolder(async (folder) => {
		const count = quick ? 100 : 500;
		const receiver = await openReceiver();
		const company = await openCompany(folder, `${receiver.origin}/hook`);
		const pool = new Pool(receiver.origin, { connections: 64 });
		const worker = company.service.startWorker();
		try {
			const direct = () => post(pool, receiver);
			const ours = () => emitAndAwait(company, receiver);
			for (let warm = 0; warm < 50; warm++) {
				await direct();
				await ours();
			}
			const times = { direct: [] as number[], ours: [] as number[] };
			for (let sent = 0; sent < count; sent++) {
				times.direct.push(await direct());
				await wait(EVERY_MS / 2);
				times.ours.push(await ours());
				await wait(EVERY_MS / 2);
			}
			const [p50, p99] = [0.5, 0.99].map((share) => ({
				direct: quantile(times.direct, share),
				ours: quantile(times.ours, share),
			})) as [Pair, Pair];
			return {
				latency_p50_ratio: p50.ours / p50.direct,
				latency_p99_ratio: p99.ours / p99.direct,
				rows: [
					{ name: "direct POST", value: show(p50.direct, p99.direct) },
					{ name: "commit to arrival", value: show(p50.ours, p99.ours) },
				],
			};
		} finally {
			await worker.stop();
			await company.service.close();
			await pool.close();
			receiver.close();
		}
	});

interface Pair {
	direct: number;
	ours: number;
}

const show = (p50: number, p99: number) =>
	`p50 ${p50.toFixed(2)} ms, p99 ${p99.toFixed(2)} ms`;

function quantile(times: readonly number[], share: number): number {
	const sorted = times.toSorted((a, b) => a - b);
	return sorted[Math.floor(share * (sorted.length - 1))] as number;
}

/** Answers 200, and tells when the next request has arrived. */
async function openReceiver() {
	let onArrival = () => {};
	const server = createServer(async (request, response) => {
		await text(request);
		onArrival();
		response.end("{}");
	});
	server.keepAliveTimeout = 60_000;
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	return {
		origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		nextArrival: () =>
			new Promise<number>((resolve) => {
				onArrival = () => resolve(performance.now());
			}),
		close() {
			server.closeAllConnections();
			server.close();
		},
	};
}
type Receiver = Awaited<ReturnType<typeof openReceiver>>;

async function post(pool: Pool, receiver: Receiver): Promise<number> {
	const arrival = receiver.nextArrival();
	const startedAt = performance.now();
	const { body } = await pool.request({
		path: "/hook",
		method: "POST",
		headers: { "content-type": "application/json" },
		body: encodeBody(JSON.stringify(ENTITY)),
	});
	await body.dump();
	return (await arrival) - startedAt;
}

async function emitAndAwait(
	{ service, caller }: Company,
	receiver: Receiver,
): Promise<number> {
	const arrival = receiver.nextArrival();
	await emit(service, caller);
	const committedAt = performance.now();
	service.store.wake();
	return (await arrival) - committedAt;
}
