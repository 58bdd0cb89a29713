import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";
import type { Calls as SinkCalls } from "./children/sink.ts";
import { openChild } from "./kit/child.ts";
import { type Company, openCompany } from "./kit/company.ts";
import { addPendingRows } from "./kit/pending-rows.ts";
import type { Part } from "./kit/report.ts";
import {
	type Contender,
	medianRatio,
	runRounds,
	showRates,
} from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";
import { startWorkerProcess } from "./kit/worker-process.ts";

const FEW = 20_000;

/** Compares how fast a backlog is drained with many pending rows and with few. */
export const benchBacklog: Part = (options) =>
	inTempFolder(async (folder) => {
		const many = options.quick ? 50_000 : 1_000_000;
		const sink = openChild<SinkCalls>("./children/sink.ts");
		const opened: Company[] = [];
		try {
			const origin = await sink.call("listen", undefined);
			const open = async (name: string, rows: number) => {
				const draining = await openDraining(join(folder, name), origin, rows);
				opened.push(draining.company);
				return draining.drain;
			};
			const rates = await runRounds(
				{ many: await open("many", many), few: await open("few", FEW) },
				options,
			);
			const path = join(folder, "many", "ours.db");
			const megabytes = await readPeakMb(path, options.quick ? 5 : 20);
			return {
				backlog_ratio: medianRatio(rates.many, rates.few),
				rows: [
					{ name: `drain of ${FEW}`, value: showRates(rates.few) },
					{ name: `drain of ${many}`, value: showRates(rates.many) },
					{ name: "most memory of a worker process", value: megabytes },
				],
			};
		} finally {
			await Promise.all(opened.map(({ service }) => service.close()));
			await sink.close();
		}
	});

async function openDraining(
	folder: string,
	origin: string,
	rows: number,
): Promise<{ company: Company; drain: Contender }> {
	mkdirSync(folder);
	const path = join(folder, "ours.db");
	let delivered = 0;
	let onDelivered = () => {};
	const company = await openCompany(folder, `${origin}/hook`, {
		onAttempt() {
			delivered++;
			onDelivered();
		},
	});
	addPendingRows(path, { rows, dueAt: Date.now() });
	return {
		company,
		/** Runs the worker for a time, or until most of the few are delivered. Then makes its deliveries pending again. */
		async drain(seconds) {
			delivered = 0;
			const worker = company.service.startWorker();
			const startedAt = performance.now();
			await new Promise<void>((resolve) => {
				onDelivered = () => {
					const isOver = performance.now() - startedAt > seconds * 1000;
					if (isOver || delivered > FEW * 0.9) resolve();
				};
			});
			const rate = delivered / ((performance.now() - startedAt) / 1000);
			await worker.stop();
			putBack(path);
			return rate;
		},
	};
}

/** The peak memory of `partnerwire worker` while it drains for this time, if the system reports it. */
async function readPeakMb(path: string, seconds: number): Promise<string> {
	const worker = startWorkerProcess(path, null);
	try {
		await sleep(seconds * 1000);
		const status = readFileSync(`/proc/${worker.pid}/status`, "utf8");
		const [, kibibytes] = /VmHWM:\s+(\d+)/.exec(status) ?? [];
		return `${Math.round((Number(kibibytes) * 1024) / 1e6)} MB`;
	} catch {
		return "not told by this system";
	} finally {
		await worker.kill();
	}
}

/** Requires that nobody else writes. */
function putBack(path: string): void {
	const db = new Database(path, { timeout: 60_000 });
	try {
		db.pragma("synchronous = off");
		db.exec(`
			update delivery set state = 'pending', ready = 1, attempts = 0, finished_at = null, lease_until = null
			where state <> 'pending';
			delete from attempt;
			update integration set settled = 0;
		`);
	} finally {
		db.close();
	}
}
