import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = "/sys/fs/cgroup/cpu";
/** Short, so that a process that has used its part up is not away for long: it may hold locks that others wait for. */
const PERIOD_US = 5000;

/** What bounds a process to a part of a processor: so much of each period and not more, whatever else is idle. */
export interface CpuShare {
	add(pid: number): void;
	/** From now on; before, and after `free`, it has what is free. */
	bound(): void;
	free(): void;
	/** Once its process is gone. */
	close(): void;
}

let made = 0;

/** Null where control groups (v1) cannot be made: not on Linux, not root, or another version of them. */
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
