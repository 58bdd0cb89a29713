import { readdirSync, readFileSync } from "node:fs";

/** A tick of the kernel's accounting, the same for every program on Linux. */
const TICK_US = 10_000;

interface Times {
	readonly parent: number;
	readonly ownUs: number;
	/** The time of its children that have ended. */
	readonly endedUs: number;
}

/** Null if the process is gone or there is no `/proc`. */
function readTimes(pid: number | string): Times | null {
	let text: string;
	try {
		text = readFileSync(`/proc/${pid}/stat`, "utf8");
	} catch {
		return null;
	}
	// The process's name before it may contain any character.
	const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
	const sum = (from: number) =>
		(Number(fields[from]) + Number(fields[from + 1])) * TICK_US;
	return { parent: Number(fields[1]), ownUs: sum(11), endedUs: sum(13) };
}

/** Whether this system reports processor times. */
export const isCpuKnown = readTimes("self") !== null;

/** Microseconds of processor time that a process has used. */
export const readCpuUs = (pid: number): number => readTimes(pid)?.ownUs ?? 0;

/** The same with that of its children: PostgreSQL has one for each connection. */
export function readFamilyCpuUs(pid: number): number {
	if (!isCpuKnown) return 0;
	const own = readTimes(pid);
	const children = readdirSync("/proc")
		.filter((name) => /^\d+$/.test(name))
		.map(readTimes)
		.filter((times) => times?.parent === pid);
	return children.reduce(
		(sum, child) => sum + (child?.ownUs ?? 0),
		(own?.ownUs ?? 0) + (own?.endedUs ?? 0),
	);
}

/** Microseconds that all processors of the machine were busy. */
export function readMachineUs(): number {
	if (!isCpuKnown) return 0;
	const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
	const [user, nice, system, , , irq, softirq] = line
		.trim()
		.split(/\s+/)
		.slice(1)
		.map(Number) as number[];
	return (
		[user, nice, system, irq, softirq].reduce<number>(
			(sum, ticks) => sum + (ticks ?? 0),
			0,
		) * TICK_US
	);
}
