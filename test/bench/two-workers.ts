import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { onDatabase } from "../kit/database/database-client.ts";
import type { Calls as SinkCalls } from "./children/sink.ts";
import { type Child, openChild } from "./kit/child.ts";
import { openCpuShare } from "./kit/cpu-share.ts";
import { expect } from "./kit/expect.ts";
import {
	onServer,
	openFilled,
	SECRET_KEY,
	type Server,
} from "./kit/on-postgres.ts";
import {
	isCpuKnown,
	readCpuUs,
	readFamilyCpuUs,
	readMachineUs,
} from "./kit/process-cpu.ts";
import type { Part, Row } from "./kit/report.ts";
import { median } from "./kit/rounds.ts";
import {
	startWorkerProcess,
	type WorkerProcess,
} from "./kit/worker-process.ts";

const THINK_MS = 20;
/**
 * Each worker's share of one processor. Two workers leave half of two processors free. With 0.3 each, 75 % of them was in use, and the
 * same work took a third more processor time.
 */
const SHARE = 0.2;
/** A resource that is used to this part is the bottleneck. */
const SATURATED = 0.93;

/** Microseconds of processor time, and the deliveries made with them. */
interface Sample {
	readonly atUs: number;
	readonly deliveries: number;
	readonly worker: number;
	readonly postgres: number;
	readonly receiver: number;
	readonly machine: number;
}

interface Setup {
	readonly server: Server;
	readonly sink: Child<SinkCalls>;
	readonly url: string;
	/** The number of deliveries before the measured ones, of those, and of those after them. */
	readonly before: number;
	readonly measured: number;
	readonly behind: number;
}

interface Run {
	readonly count: number;
	/** Each worker's share of a processor. Null is no limit. */
	readonly share: number | null;
}

/** The number of deliveries after which limited workers run at a steady rate. */
const SETTLING = 500;

let databases = 0;

/** Measures the work and the resources of this many worker processes for the deliveries in the middle. */
async function runWorkers(
	{ server, sink, url, before, measured, behind }: Setup,
	{ count, share }: Run,
): Promise<Sample> {
	const name = `workers_${++databases}`;
	const rows = before + measured + behind;
	const { database, service } = await openFilled(server, name, { rows, url });
	await service.close();
	await sink.call("takeCounts", undefined);
	const workers = Array.from({ length: count }, () =>
		startWorkerProcess(database, share, SECRET_KEY),
	);
	const arrived = async (least: number): Promise<Sample> => {
		for (;;) {
			const { requests } = await sink.call("peekCounts", undefined);
			if (requests >= least) return takeSample(requests);
			await sleep(10);
		}
	};
	const takeSample = (deliveries: number): Sample => ({
		atUs: performance.now() * 1000,
		deliveries,
		worker: workers.reduce((sum, { pid }) => sum + readCpuUs(pid), 0),
		postgres: readFamilyCpuUs(server.pid),
		receiver: readCpuUs(sink.pid),
		machine: readMachineUs(),
	});
	try {
		// A worker's start, and the time until its code is compiled, are not counted.
		await arrived(before - SETTLING);
		for (const { share } of workers) share?.bound();
		const from = await arrived(before);
		const to = await arrived(before + measured);
		for (const { share } of workers) share?.free();
		await expectDone(database, rows);
		const { requests } = await sink.call("peekCounts", undefined);
		expect(requests === rows, `${rows} deliveries were ${requests} requests`);
		return difference(from, to);
	} finally {
		await Promise.all(workers.map((worker: WorkerProcess) => worker.kill()));
	}
}

/** Waits until every delivery is stored as delivered, each with its one attempt. */
const expectDone = (database: string, rows: number) =>
	onDatabase(database, async (client) => {
		for (;;) {
			const { rows: found } = await client.query(
				"select count(*)::int as left from delivery where state in ('pending', 'delivering')",
			);
			if (found[0].left === 0) break;
			await sleep(50);
		}
		const { rows: found } = await client.query(
			"select (select count(*)::int from delivery where state = 'delivered' and attempts = 1) as delivered, (select count(*)::int from attempt) as attempts",
		);
		const [{ delivered, attempts }] = found;
		expect(
			delivered === rows && attempts === rows,
			`${rows} deliveries, but ${delivered} delivered and ${attempts} attempts`,
		);
	});

const difference = (from: Sample, to: Sample): Sample =>
	Object.fromEntries(
		Object.entries(to).map(([name, value]) => [
			name,
			value - from[name as keyof Sample],
		]),
	) as unknown as Sample;

const rateOf = ({ deliveries, atUs }: Sample) => (deliveries / atUs) * 1e6;

function describe(name: string, runs: readonly Sample[], run: Run): Row[] {
	const rate = { name, value: `${median(runs.map(rateOf)).toFixed(0)}/s` };
	if (!isCpuKnown) return [rate];
	const processors = availableParallelism();
	const used = (of: keyof Sample) =>
		median(runs.map((one) => one[of] / one.atUs));
	const each = (of: keyof Sample) =>
		median(runs.map((one) => one[of] / one.deliveries)).toFixed(0);
	const parts: readonly (readonly [string, number])[] = [
		["each worker", used("worker") / run.count / (run.share ?? 1)],
		["receiver", used("receiver")],
		["machine", used("machine") / processors],
	];
	const saturated = parts
		.filter(([, part]) => part >= SATURATED)
		.map(([part]) => part);
	return [
		rate,
		{
			name: "  processor time of a delivery",
			value: `worker ${each("worker")} µs, PostgreSQL ${each("postgres")} µs, receiver ${each("receiver")} µs`,
		},
		{
			name: "  in use",
			value: [
				`${(used("worker") / run.count).toFixed(2)} of ${(run.share ?? 1).toFixed(2)} of a processor by each worker`,
				`${used("postgres").toFixed(2)} by PostgreSQL`,
				`${used("receiver").toFixed(2)} by the receiver`,
				`${used("machine").toFixed(2)} of ${processors} by all`,
			].join(", "),
		},
		{ name: "  saturated", value: saturated.join(", ") || "nothing" },
	];
}

/**
 * Compares two worker processes with one, on 200 integrations whose receiver, a process of its own, takes 20 ms. Each worker has the
 * same share of a processor. So its own limit decides, although they share the machine's processors with PostgreSQL and the receiver.
 * The report also has the result without limits.
 */
export const benchTwoWorkers: Part = ({ quick }) =>
	onServer(async (server) => {
		const sink = openChild<SinkCalls>("./children/sink.ts");
		try {
			const url = `${await sink.call("listen", undefined)}/`;
			await sink.call("think", THINK_MS);
			const amounts = quick
				? { before: 5000, measured: 2000, behind: 3000 }
				: { before: 10_000, measured: 6000, behind: 4000 };
			const setup = { server, sink, url, ...amounts };
			const probe = openCpuShare(SHARE);
			probe?.close();
			const share = probe && SHARE;
			const [one, two] = [
				{ count: 1, share },
				{ count: 2, share },
			] as const;
			const runs = { one: [] as Sample[], two: [] as Sample[] };
			for (let round = 0; round < (quick ? 1 : 5); round++) {
				runs.one.push(await runWorkers(setup, one));
				runs.two.push(await runWorkers(setup, two));
			}
			const of = share === null ? "" : `, ${SHARE} of a processor each`;
			const rows = [
				...(share === null
					? [
							{
								name: "control groups",
								value:
									"cannot be made here (v1, as root): nobody has a processor of its own",
							},
						]
					: []),
				...describe(`one worker${of}`, runs.one, one),
				...describe(`two workers${of}`, runs.two, two),
			];
			if (share !== null && !quick)
				for (const count of [1, 2]) {
					const free = { count, share: null };
					const run = await runWorkers(setup, free);
					rows.push(
						...describe(`${count} with what is free, one round`, [run], free),
					);
				}
			return {
				two_workers_ratio: median(
					runs.two.map(
						(run, round) => rateOf(run) / rateOf(runs.one[round] as Sample),
					),
				),
				rows,
			};
		} finally {
			await sink.close();
		}
	});
