/* The packed command line, installed by npm, pnpm and Yarn as a user has them. better-sqlite3 comes without its binary, as it is published. */
import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findPlatformModule } from "../kit/platforms/module-of-platforms.ts";
import { openLocalRegistry } from "../kit/program/local-registry.ts";
import { packAll } from "../kit/program/packed.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const run = promisify(execFile);
const folder = createTempFolder();

let registry: Awaited<ReturnType<typeof openLocalRegistry>>;
beforeAll(async () => {
	const packed = await packAll(join(folder, "packed"));
	registry = await openLocalRegistry(packed, { isCompiled: false });
}, 300_000);
afterAll(() => registry.close());

interface Ended {
	readonly code: number;
	readonly output: string;
}

/** Runs a program in a project. Its caches are in the test's folder, and it knows no registry but the test's. */
async function runIn(cwd: string, words: readonly string[]): Promise<Ended> {
	const [program = "", ...args] = words;
	const { url } = registry;
	const env = {
		PATH: process.env.PATH,
		NO_COLOR: "1",
		HOME: join(folder, "home"),
		npm_config_better_sqlite3_binary_host: url.slice(0, -1),
		YARN_NPM_REGISTRY_SERVER: url,
		YARN_UNSAFE_HTTP_WHITELIST: "127.0.0.1",
		// The packages are some seconds old, and Yarn takes none of today.
		YARN_NPM_MINIMAL_AGE_GATE: "0",
		YARN_ENABLE_TELEMETRY: "0",
	};
	const ended = await run(program, args, { cwd, env }).then(
		(done) => ({ code: 0, ...done }),
		(failed) => failed as { code: number; stdout: string; stderr: string },
	);
	return { code: ended.code, output: ended.stdout + ended.stderr };
}

function createProject(name: string): string {
	const project = join(folder, name);
	for (const each of [project, join(folder, "home")])
		mkdirSync(each, { recursive: true });
	writeFileSync(join(project, ".npmrc"), `registry=${registry.url}\n`);
	writeFileSync(
		join(project, "package.json"),
		JSON.stringify({ name, private: true, type: "module" }),
	);
	return project;
}

const DEMO = ["partnerwire", "demo", "--once", "--port", "0"];

async function expectDemo(project: string, exec: readonly string[]) {
	const { code, output } = await runIn(project, [...exec, ...DEMO]);
	expect(output).toContain("verified  lead_created");
	expect(code).toBe(0);
}

/** The command line says in one sentence what to run, and leaves no file. */
async function expectAdvice(project: string, exec: readonly string[]) {
	const before = readdirSync(project);
	const serve = ["partnerwire", "serve", "--port", "0"];
	for (const words of [DEMO, serve]) {
		const { code, output } = await runIn(project, [...exec, ...words]);
		// npm warns of the variable that names our host of binaries.
		const lines = output.trim().split("\n");
		expect(lines.filter((line) => !line.startsWith("npm warn"))).toEqual([
			`partnerwire: better-sqlite3 is not built for Node ${process.version}: run \`npm rebuild better-sqlite3\` (pnpm: \`pnpm approve-builds\`); the database is not touched.`,
		]);
		expect(code).toBe(1);
	}
	expect(readdirSync(project)).toEqual(before);
}

describe("npm", () => {
	const exec = ["npx", "--no-install"];

	test("without install scripts: the command line says what to run, and that helps", async () => {
		const project = createProject("npm-without-scripts");
		const installed = await runIn(project, [
			...["npm", "install", "--ignore-scripts", "partnerwire"],
		]);
		expect(installed.code).toBe(0);
		await expectAdvice(project, exec);
		const built = await runIn(project, ["npm", "rebuild", "better-sqlite3"]);
		expect(built).toMatchObject({ code: 0 });
		await expectDemo(project, exec);
	});
});

describe("pnpm", () => {
	const pnpm = () => findPlatformModule("@pnpm/exe.linux-x64/pnpm");

	test("blocks install scripts: the command line says what to run, and that helps", async () => {
		const project = createProject("pnpm");
		const call = [pnpm()];
		const added = await runIn(project, [...call, "add", "partnerwire"]);
		expect(added.output).toContain("better-sqlite3");
		await expectAdvice(project, [...call, "exec"]);
		const built = await runIn(project, [...call, "approve-builds", "--all"]);
		expect(built).toMatchObject({ code: 0 });
		await expectDemo(project, [...call, "exec"]);
	});
});

describe("Yarn", () => {
	const yarn = () => [
		process.execPath,
		findPlatformModule("@yarnpkg/cli-dist/bin/yarn.js"),
	];

	test.each(["pnp", "node-modules"])(
		"with %s, blocks install scripts: the command line says what to run, and its own setting helps",
		async (linker) => {
			const project = createProject(`yarn-${linker}`);
			writeFileSync(join(project, ".yarnrc.yml"), `nodeLinker: ${linker}\n`);
			const added = await runIn(project, [...yarn(), "add", "partnerwire"]);
			expect(added).toMatchObject({ code: 0 });
			await expectAdvice(project, [...yarn(), "run"]);
			const file = join(project, "package.json");
			const manifest = JSON.parse(readFileSync(file, "utf8"));
			const dependenciesMeta = { "better-sqlite3": { built: true } };
			writeFileSync(file, JSON.stringify({ ...manifest, dependenciesMeta }));
			const built = await runIn(project, [...yarn(), "install"]);
			expect(built).toMatchObject({ code: 0 });
			await expectDemo(project, [...yarn(), "run"]);
		},
	);
});
