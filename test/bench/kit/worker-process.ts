import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type CpuShare, openCpuShare } from "./cpu-share.ts";

const CLI = join(import.meta.dirname, "../../../admin/bin/partnerwire.js");
/** Limits that are high enough not to matter. */
const CAPS = ["--concurrency", "1024", "--per-integration", "64"];

export interface WorkerProcess {
	readonly pid: number;
	/** Its share of a processor, if it has one. */
	readonly share: CpuShare | null;
	kill(): Promise<void>;
}

/** Starts `partnerwire worker` on a database, limited to a share of a processor, or not limited with null. */
export function startWorkerProcess(
	database: string,
	cores: number | null,
	/** By default the key file beside the database. */
	secretKey?: string,
): WorkerProcess {
	const share = cores === null ? null : openCpuShare(cores);
	const child = spawn(process.execPath, [CLI, "worker", "--dev", ...CAPS], {
		env: {
			...process.env,
			PARTNERWIRE_DATABASE: database,
			...(secretKey && { PARTNERWIRE_SECRET_KEY: secretKey }),
			PARTNERWIRE_LOG_LEVEL: "error",
		},
		stdio: ["ignore", "ignore", "inherit"],
	});
	const pid = child.pid as number;
	share?.add(pid);
	return {
		pid,
		share,
		async kill() {
			const exited = once(child, "exit");
			child.kill("SIGKILL");
			await exited;
			share?.close();
		},
	};
}
