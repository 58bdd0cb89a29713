import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Part } from "./kit/report.ts";
import { median } from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

const BIN = join(import.meta.dirname, "../../admin/bin/partnerwire.js");

/** Milliseconds from starting a process to its first output. The process is ended then. */
async function toFirstOutput(args: readonly string[]): Promise<number> {
	const startedAt = performance.now();
	const child = spawn(process.execPath, args, {
		stdio: ["ignore", "pipe", "inherit"],
	});
	const exited = once(child, "exit");
	await once(child.stdout, "data");
	const elapsedMs = performance.now() - startedAt;
	child.kill();
	await exited;
	return elapsedMs;
}

const show = (times: readonly number[]) =>
	`${Math.round(median(times))} ms (${Math.round(Math.min(...times))}–${Math.round(Math.max(...times))})`;

/** Compares the start of a service with every operation, until it accepts connections, with that of Node alone. */
export const benchStart: Part = ({ quick }) =>
	inTempFolder(async (folder) => {
		const times = { node: [], fresh: [], existing: [] } as Record<
			"node" | "fresh" | "existing",
			number[]
		>;
		const serve = (database: string) =>
			toFirstOutput([
				BIN,
				...["serve", "--json", "--port", "0"],
				...["--database", join(folder, database)],
			]);
		for (let round = 0; round < (quick ? 2 : 7); round++) {
			times.node.push(await toFirstOutput(["-e", "console.log(1)"]));
			times.fresh.push(await serve(`${round}.db`));
			times.existing.push(await serve("0.db"));
		}
		return {
			rows: [
				{ name: "node alone", value: show(times.node) },
				{ name: "service, new database", value: show(times.fresh) },
				{ name: "service, existing database", value: show(times.existing) },
			],
		};
	});
