import { setTimeout as sleep } from "node:timers/promises";
import type { Service } from "partnerwire";
import { serveCalls } from "../kit/child.ts";
import { addTenant, emit, openCompany, type Tenant } from "../kit/company.ts";
import { median } from "../kit/rounds.ts";

/** Live traffic has a fixed rate below the machine's limit, so that it shows when a replay slows it. */
const TICK_MS = 10;

interface Live {
	/** Deliveries per second, and milliseconds from the event to the attempt's end. */
	readonly perSecond: number;
	readonly medianMs: number;
	readonly slowMs: number;
}

let service: Service;
let replayed: Tenant;
let live: Tenant;
let stored = 0;
let emittedAt: number[] = [];
let latencies: number[] = [];
let firstSequence = 1;
let failures = 0;

const calls = {
	/** Delivers this many events of the integration that is replayed later. */
	async open(options: { folder: string; origin: string; rows: number }) {
		const url = `${options.origin}/hook`;
		const company = await openCompany(options.folder, url, {
			perIntegration: 64,
			onAttempt(delivery, { delivered }) {
				if (!delivered) failures++;
				if (delivery.integration.uuid !== live.integrationId) {
					stored++;
					return;
				}
				const startedAt = emittedAt[delivery.sequence - firstSequence];
				if (startedAt !== undefined)
					latencies.push(performance.now() - startedAt);
			},
		});
		service = company.service;
		replayed = await addTenant(service, url);
		live = await addTenant(service, url);
		service.startWorker();
		for (let emitted = 0; emitted < options.rows; emitted += 100) {
			await Promise.all(
				Array.from({ length: 100 }, () => emit(service, replayed.caller)),
			);
			service.store.wake();
		}
		while (stored < options.rows) await sleep(TICK_MS);
	},

	/** Emits live events at a rate for a time, and until a replay has ended if there is one. Waits for all of them. */
	async run({
		seconds,
		perSecond,
		replayPerSecond,
	}: {
		seconds: number;
		perSecond: number;
		replayPerSecond: number | null;
	}): Promise<{
		live: Live;
		replay: { given: number; seconds: number } | null;
	}> {
		const uuid =
			replayPerSecond === null ? null : await startReplay(replayPerSecond);
		firstSequence += emittedAt.length;
		emittedAt = [];
		latencies = [];
		const startedAt = performance.now();
		const emissions: Promise<unknown>[] = [];
		const elapsedS = () => (performance.now() - startedAt) / 1000;
		while (elapsedS() < seconds || (uuid && (await isRunning(uuid)))) {
			const due = elapsedS() * perSecond;
			while (emittedAt.length < due) {
				emittedAt.push(performance.now());
				emissions.push(emit(service, live.caller));
			}
			service.store.wake();
			await sleep(TICK_MS);
		}
		await Promise.all(emissions);
		service.store.wake();
		while (latencies.length < emittedAt.length) await sleep(TICK_MS);
		if (failures > 0) throw new Error(`${failures} deliveries failed`);
		const sorted = latencies.toSorted((a, b) => a - b);
		return {
			live: {
				perSecond: latencies.length / elapsedS(),
				medianMs: median(sorted),
				slowMs: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
			},
			replay: uuid === null ? null : await readReplay(uuid),
		};
	},
};
export type Calls = typeof calls;

async function startReplay(rate_per_second: number): Promise<string> {
	const body = {
		integration_id: replayed.integrationId,
		statuses: ["delivered" as const],
		rate_per_second,
	};
	const made = await service.core.execute(
		"createWebhookReplay",
		{ body },
		replayed.caller,
	);
	return made.uuid as string;
}

const show = (uuid: string) =>
	service.core.execute(
		"getWebhookReplay",
		{ params: { uuid } },
		replayed.caller,
	);
const isRunning = async (uuid: string) =>
	(await show(uuid)).status === "running";

async function readReplay(uuid: string) {
	const { counts, created_at, finished_at } = await show(uuid);
	const tookMs = Date.parse(finished_at ?? "") - Date.parse(created_at);
	return { given: counts.replayed, seconds: tookMs / 1000 };
}

serveCalls(calls);
