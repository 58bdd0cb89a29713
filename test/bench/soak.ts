import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, countUnbalanced, removeExpired } from "@partnerwire/core";
import type { Service } from "partnerwire";
import type pg from "pg";
import { onDatabase } from "../kit/database/database-client.ts";
import type { Calls as SinkCalls } from "./children/sink.ts";
import { openChild } from "./kit/child.ts";
import { addTenant, emit, openCompany } from "./kit/company.ts";
import { expect } from "./kit/expect.ts";
import { addDatabase, onServer } from "./kit/on-postgres.ts";
import {
	QUEUE_TABLES,
	readVacuumSettings,
	sampleTables,
	type TableSample,
	type Threshold,
	type VacuumSettings,
} from "./kit/queue-tables.ts";
import type { Part, Row } from "./kit/report.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

const COMPANIES = 10;
const TICK_MS = 100;
const PER_TICK = 10;
/** A table's size may be this multiple of its live rows and permitted dead rows. Space that vacuum frees must be used again. */
const ROOM = 1.5;
/** Tables below this number of pages are too small to judge their growth. */
const SMALL_BYTES = 1 << 20;

/** Seconds of each phase. The quick run sets a shorter autovacuum nap; otherwise nothing would be vacuumed. */
const FULL = { total: 600, steadyAt: 180, keep: 60, every: 5, nap: null };
const QUICK = { total: 30, steadyAt: 14, keep: 5, every: 1, nap: 3 };
type Plan = typeof FULL | typeof QUICK;

interface Sample {
	readonly atS: number;
	readonly tables: readonly TableSample[];
}

/**
 * Steady emission, delivery and retention on PostgreSQL. Throws unless dead rows stay within the limits of autovacuum's settings, and
 * the tables stop growing once retention removes as many rows as are added.
 */
export const benchSoak: Part = ({ quick }) => {
	const plan = quick ? QUICK : FULL;
	return inTempFolder((folder) =>
		onServer(
			async (server) => {
				const database = await addDatabase(server, "soak");
				const sink = openChild<SinkCalls>("./children/sink.ts");
				const url = `${await sink.call("listen", undefined)}/hook`;
				let failures = 0;
				const company = await openCompany(folder, url, {
					database,
					// Retention runs here far more often than in the service.
					retentionMs: 0,
					onAttempt(_delivery, { delivered }) {
						if (!delivered) failures++;
					},
				});
				const { service } = company;
				const callers = [company.caller];
				while (callers.length < COMPANIES)
					callers.push((await addTenant(service, url)).caller);
				try {
					const worker = service.startWorker();
					const soaked = await onDatabase(database, async (client) => {
						const settings = await readVacuumSettings(client);
						const run = await soak({ service, callers, client }, plan);
						return { settings, ...run };
					});
					await worker.stop();
					const { requests } = await sink.call("takeCounts", undefined);
					expect(
						failures === 0 && requests === soaked.emitted,
						`${soaked.emitted} events were ${requests} requests, ${failures} failed`,
					);
					expect(soaked.removed > 0, "retention removed nothing");
					expect(
						(await countUnbalanced(service.store)) === 0,
						"the ledger does not add up",
					);
					return { rows: judge(soaked, soaked.settings, plan) };
				} finally {
					await service.close();
					await sink.close();
				}
			},
			plan.nap === null ? [] : [`autovacuum_naptime=${plan.nap}s`],
		),
	);
};

interface Soaking {
	readonly service: Service;
	readonly callers: readonly Caller[];
	readonly client: pg.Client;
}

async function soak({ service, callers, client }: Soaking, plan: Plan) {
	const startedAt = performance.now();
	const elapsedS = () => (performance.now() - startedAt) / 1000;
	let emitted = 0;
	let removed = 0;
	const samples: Sample[] = [];
	const emitting = async () => {
		for (let tick = 1; elapsedS() < plan.total; tick++) {
			await Promise.all(
				Array.from({ length: PER_TICK }, () =>
					emit(service, callers[emitted++ % callers.length] as Caller),
				),
			);
			service.store.wake();
			await sleep(Math.max(0, tick * TICK_MS - elapsedS() * 1000));
		}
	};
	const retaining = async () => {
		while (elapsedS() < plan.total) {
			await sleep(1000);
			const cutoffMs = Date.now() - plan.keep * 1000;
			removed += await removeExpired(service.store, cutoffMs);
		}
	};
	const sampling = async () => {
		while (elapsedS() < plan.total) {
			await sleep(plan.every * 1000);
			samples.push({ atS: elapsedS(), tables: await sampleTables(client) });
		}
	};
	await Promise.all([emitting(), retaining(), sampling()]);
	const planned = (plan.total * 1000 * PER_TICK) / TICK_MS;
	// The bounds depend on the real rate, but half of the planned rate would show little.
	expect(
		emitted >= planned / 2,
		`${emitted} events of ${planned}: the machine is too busy for the rate`,
	);
	for (;;) {
		const { rows } = await client.query(
			"select count(*)::int as left from delivery where state in ('pending', 'delivering')",
		);
		if (rows[0].left === 0) return { emitted, removed, samples };
		await sleep(TICK_MS);
	}
}

/** Throws if a table's dead rows or its size were not bounded. Otherwise reports their maxima. */
function judge(
	{
		samples,
		emitted,
		removed,
	}: { samples: readonly Sample[]; emitted: number; removed: number },
	{ napS, thresholds }: VacuumSettings,
	plan: Plan,
): Row[] {
	// The size of a row is measured before retention removes anything. Later as many rows are removed as are added.
	const filling = samples.findLast(({ atS }) => atS < plan.keep);
	const steady = samples.find(({ atS }) => atS >= plan.steadyAt);
	const last = samples.at(-1);
	if (!filling || !steady || !last) throw new TypeError("nothing was sampled");
	const of = (sample: Sample, name: string) =>
		sample.tables.find((table) => table.name === name) as TableSample;
	const tables = QUEUE_TABLES.map((name): Row => {
		const [before, after] = [of(filling, name), of(last, name)];
		const dying =
			(after.killed - of(steady, name).killed) / (last.atS - steady.atS);
		const { base, part } = thresholds.get(name) as Threshold;
		// A vacuum is due at the threshold, noticed at the end of a nap, and done by the end of the next.
		const bound = base + part * after.live + 2 * napS * dying;
		const dead = Math.max(...samples.map((sample) => of(sample, name).dead));
		expect(
			dead <= bound,
			`${dead} dead rows of ${name}, more than ${bound.toFixed(0)}`,
		);
		const bytesOf = (table: TableSample) => table.tableBytes + table.indexBytes;
		const perRow = bytesOf(before) / (before.live + before.dead);
		const room = ROOM * perRow * (after.live + bound);
		expect(
			bytesOf(after) <= Math.max(room, SMALL_BYTES),
			`${name} has ${toMiB(bytesOf(after))} MiB, more than ${toMiB(room)}`,
		);
		return {
			name,
			value: [
				`${after.live} rows, at most ${dead} dead (bound ${bound.toFixed(0)})`,
				`${after.vacuums} vacuums`,
				`${toMiB(before.tableBytes)} MiB and ${toMiB(before.indexBytes)} of indexes before anything was removed`,
				`${toMiB(of(steady, name).tableBytes)} and ${toMiB(of(steady, name).indexBytes)} after ${steady.atS.toFixed(0)} s`,
				`${toMiB(after.tableBytes)} and ${toMiB(after.indexBytes)} at the end (bound of both ${toMiB(Math.max(room, SMALL_BYTES))})`,
			].join(", "),
		};
	});
	return [
		{
			name: "events",
			value: `${emitted} in ${plan.total} s of ${(plan.total * 1000 * PER_TICK) / TICK_MS} planned, ${removed} removed after ${plan.keep} s, a nap of autovacuum ${napS} s`,
		},
		...tables,
	];
}

const toMiB = (bytes: number) => (bytes / (1 << 20)).toFixed(1);
