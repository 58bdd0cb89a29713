import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { type CpuShare, openCpuShare } from "./cpu-share.ts";

const CLI = join(import.meta.dirname, "../../admin/bin/partnerwire.js");
/** Caps that are not the limit. */
const CAPS = ["--concurrency", "1024", "--per-integration", "64"];

export interface WorkerProcess {
	readonly pid: number;
	/** Its part of a processor, if it was given one. */
	readonly share: CpuShare | null;
	kill(): Promise<void>;
}

/** `partnerwire worker` on a database, which may be bound to a part of a processor; null gives it whatever is free. */
export function startWorkerProcess(
	database: string,
	cores: number | null,
	/** Without it the key file beside the database. */
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
