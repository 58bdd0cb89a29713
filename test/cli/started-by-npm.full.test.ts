/* Commands that stay up, started by the real npx and npm: whoever ends those ends the commands too. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { expect, onTestFinished, test } from "vitest";
import { expectBuiltCli } from "../kit/built.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { ROOT } from "../kit/sources.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const withoutNpm = Object.fromEntries(
	Object.entries(process.env).filter(
		([name]) => !/^(npm_|PARTNERWIRE_)/.test(name),
	),
);

interface Ready {
	readonly pid: number;
	readonly url?: string;
	readonly metrics_url?: string;
}

/** Starts a program, and reads the ready line of the command below it. */
async function start(
	[program = "", ...words]: readonly string[],
	env: Record<string, string> = {},
): Promise<{ child: ChildProcess; ready: Ready }> {
	expectBuiltCli();
	const child = spawn(program, words, {
		cwd: ROOT,
		env: { ...withoutNpm, ...env },
		stdio: ["ignore", "pipe", "inherit"],
		// A process group of its own, as a terminal gives it one.
		detached: true,
	});
	for await (const line of createInterface({ input: child.stdout })) {
		if (!line.includes('"ready"')) continue;
		const ready = JSON.parse(line) as Ready;
		onTestFinished(() => {
			if (isRunning(ready.pid)) process.kill(ready.pid, "SIGKILL");
		});
		// A full pipe would hold the command up.
		child.stdout.resume();
		return { child, ready };
	}
	throw new Error(`${program} ${words.join(" ")} ended without a ready line`);
}

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

const isAnswered = async ({ url, metrics_url }: Ready): Promise<boolean> =>
	fetch(String(url ?? metrics_url)).then(
		() => true,
		() => false,
	);

const COMMANDS = [
	["npx", "partnerwire", "serve", "--demo", "--dev", "--port", "0", "--json"],
	["npx", "partnerwire", "serve", "--emulator", "--port", "0", "--json"],
	["npx", "partnerwire", "worker", "--metrics-port", "0", "--json"],
	["npx", "partnerwire", "demo", "--port", "0", "--json"],
	["npm", "start", "--silent", "--", "--port", "0", "--json"],
	[
		...["npx", "partnerwire", "listen", "--port", "0"],
		...["--secret", TEST_SECRET, "--json"],
	],
];

/** SIGTERM as a supervisor sends it, and Ctrl-C, which a terminal sends to the whole group. */
const ENDINGS = {
	"SIGTERM to npm": ({ pid }: ChildProcess) =>
		process.kill(pid as number, "SIGTERM"),
	"Ctrl-C": ({ pid }: ChildProcess) => process.kill(-(pid as number), "SIGINT"),
};

test.each(
	COMMANDS.flatMap((words) =>
		Object.entries(ENDINGS).map(([name, end]) => [name, words, end] as const),
	),
)("%s ends %j in order", async (_, words, end) => {
	const folder = createTempFolder();
	const database = join(folder, "test.db");
	await runPartnerwire(["company", "create", "Acme", "--database", database]);
	const { child, ready } = await start(words, {
		// The emulator warns of a database that it does not use.
		...(!words.includes("--emulator") && { PARTNERWIRE_DATABASE: database }),
	});
	if (ready.url) expect(await isAnswered(ready)).toBe(true);
	const exited = once(child, "exit");
	end(child);
	await exited;
	await expect.poll(() => isRunning(ready.pid)).toBe(false);
	expect(await isAnswered(ready)).toBe(false);
	expect(readdirSync(folder).sort()).toEqual(["test.db", "test.db.key"]);
});

test("without npm, a service goes on when its starter is gone", async () => {
	const folder = createTempFolder();
	const bin = join(ROOT, "node_modules/.bin/partnerwire");
	const database = join(folder, "test.db");
	const service = `'${bin}' serve --demo --dev --port 0 --json --database '${database}'`;
	// The shell ends at once.
	const { ready } = await start(["sh", "-c", `${service} & exit`]);
	const keys = () => runPartnerwire(["key", "list", "--database", database]);
	// Each takes longer than the service would need to find out.
	for (let run = 0; run < 3; run++) expect((await keys()).code).toBe(0);
	expect(await isAnswered(ready)).toBe(true);
	process.kill(ready.pid, "SIGTERM");
	await expect.poll(() => isRunning(ready.pid)).toBe(false);
	expect(readdirSync(folder).sort()).toEqual(["test.db", "test.db.key"]);
});

test("a service that npx started outlives whoever started npx", async () => {
	const folder = createTempFolder();
	const database = join(folder, "test.db");
	const service = `npx partnerwire serve --demo --dev --port 0 --json --database '${database}'`;
	const { ready } = await start(["sh", "-c", `setsid ${service} & exit`]);
	for (let run = 0; run < 3; run++)
		expect(
			(await runPartnerwire(["key", "list", "--database", database])).code,
		).toBe(0);
	expect(await isAnswered(ready)).toBe(true);
	process.kill(ready.pid, "SIGTERM");
	await expect.poll(() => isRunning(ready.pid)).toBe(false);
});
