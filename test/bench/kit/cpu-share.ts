import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/sys/fs/cgroup/cpu";
/** Short, so that a process that has used its share is not stopped for long: others may wait for its locks. */
const PERIOD_US = 5000;

/** Limits a process to a share of a processor, even if the rest is idle. */
export interface CpuShare {
	add(pid: number): void;
	/** Starts to limit it. Before this call, and after `free`, there is no limit. */
	bound(): void;
	free(): void;
	/** Call this after its process has ended. */
	close(): void;
}

let made = 0;

/** Null if control groups (v1) cannot be created: not on Linux, not root, or another version of them. */
export function openCpuShare(cores: number): CpuShare | null {
	const folder = join(ROOT, `partnerwire-bench-${process.pid}-${++made}`);
	const set = (file: string, value: number) =>
		writeFileSync(join(folder, file), `${Math.round(value)}`);
	try {
		mkdirSync(folder);
	} catch {
		return null;
	}
	try {
		set("cpu.cfs_period_us", PERIOD_US);
	} catch {
		rmdirSync(folder);
		return null;
	}
	return {
		add: (pid) => set("cgroup.procs", pid),
		bound: () => set("cpu.cfs_quota_us", PERIOD_US * cores),
		free: () => set("cpu.cfs_quota_us", -1),
		close: () => rmdirSync(folder),
	};
}
