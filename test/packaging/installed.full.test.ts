import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startDemoService } from "../kit/program/demo-service.ts";
import { openLocalRegistry } from "../kit/program/local-registry.ts";
import {
	installInto,
	PACKAGES,
	type Packed,
	packAll,
	runIn,
} from "../kit/program/packed.ts";
import { ROOT } from "../kit/sources.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const run = promisify(execFile);
const folder = createTempFolder();
const projectOf = (name: string) => join(folder, name.replaceAll("/", "-"));

let packed: Packed[];
let registry: Awaited<ReturnType<typeof openLocalRegistry>>;
beforeAll(async () => {
	packed = await packAll(join(folder, "packed"));
	registry = await openLocalRegistry(packed);
});
afterAll(() => registry.close());

/** The example of a package's README, and the output that the README shows. */
function readExample(name: string) {
	const readme = readFileSync(join(ROOT, name, "README.md"), "utf8");
	const [, code = ""] = /```js\n(.*?)```/s.exec(readme) ?? [];
	const prints = [...code.matchAll(/\/\/ → (.*)$/gm)].map(([, line]) => line);
	return { code, prints };
}

/** Every import path of the package. */
const importAll = ({ manifest: { name, exports } }: Packed) =>
	Object.keys(exports)
		.filter((path) => !path.endsWith(".json"))
		.map((path) => `await import("${name}${path.slice(1)}");`)
		.join("\n");

/** The one subpath that needs an optional peer. */
const NEEDS_CORE = 'await import("@partnerwire/dispatcher/worker");';

describe.each(PACKAGES)(
	"%s, packed and installed into an empty project",
	(name) => {
		const project = projectOf(name);
		const getPacked = () =>
			packed.find((item) => item.folder === name) as Packed;

		test("brings what it needs and no more: no database but in core and the service, nothing of ours for development", async () => {
			// The core's example uses the fixtures as seed.
			const more = name === "shared/core" ? ["@partnerwire/fixtures"] : [];
			await installInto(
				project,
				[getPacked().manifest.name, ...more],
				registry.url,
			);
			const names = readdirSync(join(project, "node_modules"));
			const hasDatabase = name === "shared/core" || name === "admin";
			expect(names.includes("better-sqlite3")).toBe(hasDatabase);
			for (const program of ["typescript", "vitest", "vue", "swagger-ui-dist"])
				expect(names).not.toContain(program);
		});

		test("the example of its README does what it says", async () => {
			const service = await startDemoService(createTempFolder());
			const { code, prints } = readExample(name);
			expect(prints.length).toBeGreaterThan(0);
			const printed = await runIn(project, code, {
				PARTNERWIRE_URL: service.url,
				PARTNERWIRE_API_KEY: service.keys.full,
			});
			expect(printed.split("\n")).toEqual(prints);
		});

		test("every import path is there", async () => {
			await runIn(project, importAll(getPacked()).replace(NEEDS_CORE, ""));
		});
	},
);

test("the dispatcher's worker comes with the core", async () => {
	const project = projectOf("dispatcher");
	await expect(runIn(project, NEEDS_CORE)).rejects.toThrow(
		/@partnerwire\/core/,
	);
	await installInto(project, ["@partnerwire/core"], registry.url);
	await runIn(project, NEEDS_CORE);
});

test("the installed command line runs the demo", async () => {
	const cwd = projectOf("admin");
	const bin = join(cwd, "node_modules/.bin/partnerwire");
	const { stdout } = await run(bin, ["demo", "--once", "--port", "0"], { cwd });
	expect(stdout).toContain("lead_created");
});

const PAGES = `
import { createApp, createDashboard, listen, openService } from "partnerwire";
const service = await openService({ database: "pages.db" });
const dashboard = createDashboard(service.core);
const server = await listen(createApp(service.core, { dashboard }), { port: 0, host: "127.0.0.1" });
for (const path of ["/", "/openapi.json", "/docs/", "/docs/receiver", "/docs/api/"]) {
	const answer = await fetch(server.url + path, { headers: { accept: "text/html" } });
	console.log(path, answer.status, answer.headers.get("content-type"));
}
await server.close();
await service.close();
`;

test("the installed service has the dashboard and the documentation with it", async () => {
	expect((await runIn(projectOf("admin"), PAGES)).split("\n")).toEqual([
		"/ 200 text/html; charset=utf-8",
		"/openapi.json 200 application/json",
		"/docs/ 200 text/html; charset=utf-8",
		"/docs/receiver 200 text/html; charset=utf-8",
		"/docs/api/ 200 text/html; charset=utf-8",
	]);
});
