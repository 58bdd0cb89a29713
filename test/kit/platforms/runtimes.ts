/** The runtimes in which the published packages are tried: Node's supported versions, Bun, Deno and workerd. */
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { ROOT } from "../sources.ts";
import { bundleProgram, bundleWorker } from "./bundle-for.ts";
import { findPlatformModule } from "./module-of-platforms.ts";
import type { SuiteReport } from "./portable-vitest.ts";

const run = promisify(execFile);

/** A runtime, and a project with the packages under test. */
export interface Runtime {
	readonly name: string;
	/** Calls the function `run(input)` that the code declares, and resolves to its result. */
	call(project: string, code: string, input?: unknown): Promise<unknown>;
	/** Serves the `receiver` that the code declares, until the test ends. */
	serve(project: string, code: string): Promise<URL>;
}

const toFolder = (project: string) => mkdtempSync(join(project, "run-"));

/** Starts a program for one test. */
function start(
	program: string,
	args: readonly string[],
	cwd: string,
	stdio: ("ignore" | "inherit" | "pipe")[] = ["ignore", "pipe", "inherit"],
): ChildProcess {
	const child = spawn(program, args, { cwd, env: ENVIRONMENT, stdio });
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	return child;
}

async function readLine(stream: Readable, child: ChildProcess) {
	const line = await Promise.race([
		once(createInterface({ input: stream }), "line"),
		once(child, "exit"),
	]);
	return String(line[0]);
}

/** No runtime asks for its newest version. */
const ENVIRONMENT = {
	...process.env,
	NO_COLOR: "1",
	DENO_NO_UPDATE_CHECK: "1",
	DO_NOT_TRACK: "1",
};

/** A runtime that runs a file. `server` serves `receiver.fetch` and prints its port. */
const programRuntime = (
	name: string,
	command: () => readonly [program: string, ...args: string[]],
	server: string,
): Runtime => ({
	name,
	async call(project, code, input = null) {
		const folder = toFolder(project);
		const file = join(folder, "main.mjs");
		await bundleProgram(
			`${code}\nconsole.log(JSON.stringify(await run(JSON.parse(process.env.INPUT))));`,
			file,
		);
		const [program, ...args] = command();
		const { stdout } = await run(program, [...args, file], {
			cwd: folder,
			env: { ...ENVIRONMENT, INPUT: JSON.stringify(input) },
			maxBuffer: 100_000_000,
		});
		return JSON.parse(stdout.trim().split("\n").at(-1) ?? "");
	},
	async serve(project, code) {
		const folder = toFolder(project);
		const file = join(folder, "main.mjs");
		await bundleProgram(`${code}\n${server}`, file);
		const [program, ...args] = command();
		const child = start(program, [...args, file], folder);
		const port = await readLine(child.stdout as Readable, child);
		return new URL(`http://127.0.0.1:${port}/hook`);
	},
});

/** The Nodes of `test/platforms`, and the one that runs the tests. */
const NODES: Readonly<Record<string, () => string>> = {
	"Node 22": () => findPlatformModule("node22/bin/node"),
	"Node 24": () => findPlatformModule("node24/bin/node"),
	[`Node ${process.versions.node.split(".")[0]}`]: () => process.execPath,
};

const NODE_SERVER = `
import { createServer } from "node:http";
import { toNodeHandler } from "@partnerwire/receiver/node";
const server = createServer(toNodeHandler(receiver)).listen(0, "127.0.0.1", () => console.log(server.address().port));`;

const BUN_SERVER = `console.log(Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: receiver.fetch }).port);`;

const DENO_SERVER = `Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: ({ port }) => console.log(port) }, receiver.fetch);`;

/** Starts workerd with one Worker. It may call services on this machine. */
async function startWorkerd(folder: string, flags: string): Promise<URL> {
	const config = join(folder, "config.capnp");
	writeFileSync(
		config,
		`using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
	services = [
		(name = "main", worker = (
			modules = [(name = "main.mjs", esModule = embed "main.mjs")],
			compatibilityDate = "2025-11-01",
			compatibilityFlags = [${flags}],
		)),
		(name = "internet", network = (allow = ["local"])),
	],
	sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
`,
	);
	const child = start(
		findPlatformModule("@cloudflare/workerd-linux-64/bin/workerd"),
		["serve", config, "--control-fd=3"],
		folder,
		["ignore", "inherit", "inherit", "pipe"],
	);
	const line = await readLine(child.stdio[3] as Readable, child);
	const { port } = JSON.parse(line) as { port: number };
	return new URL(`http://127.0.0.1:${port}/hook`);
}

const workerd: Runtime = {
	name: "workerd",
	async call(project, code, input = null) {
		const folder = toFolder(project);
		await bundleWorker(
			`${code}
export default {
	async fetch(request) {
		return Response.json(await run(await request.json()));
	},
};`,
			join(folder, "main.mjs"),
			project,
		);
		// The tests' own helpers use Node's modules.
		const url = await startWorkerd(folder, '"nodejs_compat"');
		const body = JSON.stringify(input);
		const answer = await fetch(url, { method: "POST", body });
		return answer.json();
	},
	async serve(project, code) {
		const folder = toFolder(project);
		const main = `${code}\nexport default { fetch: receiver.fetch };`;
		await bundleWorker(main, join(folder, "main.mjs"), project);
		return startWorkerd(folder, "");
	},
};

export const RUNTIMES: readonly Runtime[] = [
	...Object.entries(NODES).map(([name, program]) =>
		programRuntime(name, () => [program(), "--no-warnings"], NODE_SERVER),
	),
	programRuntime(
		"Bun",
		() => [findPlatformModule("@oven/bun-linux-x64/bin/bun")],
		BUN_SERVER,
	),
	programRuntime(
		"Deno",
		() => [
			findPlatformModule("@deno/linux-x64-glibc/deno"),
			...["run", "--allow-all", "--quiet", "--node-modules-dir=manual"],
		],
		DENO_SERVER,
	),
	workerd,
];

/** Runs test files of the repository in the runtime, on the packages of the project. */
export async function runSuites(
	runtime: Runtime,
	project: string,
	files: readonly string[],
): Promise<SuiteReport> {
	// The files are loaded in the call: a Worker gives no random numbers before its first request.
	const imports = files.map(
		(file) => `await import(${JSON.stringify(join(ROOT, file))});`,
	);
	const code = `async function run() {
	${imports.join("\n\t")}
	const { runTests } = await import("vitest");
	return runTests();
}`;
	return (await runtime.call(project, code)) as SuiteReport;
}
