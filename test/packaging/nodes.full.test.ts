/* The packed command line on the other supported versions of Node: what it says before it is built again, then the demo and a backup. */
import { execFile } from "node:child_process";
import { copyFileSync, readdirSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { findPlatformModule } from "../kit/platforms/module-of-platforms.ts";
import { installPacked } from "../kit/program/install-packed.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const execute = promisify(execFile);

let project = "";
beforeAll(async () => {
	project = await installPacked(["partnerwire"]);
}, 300_000);

/** Compiles better-sqlite3 with the headers of that Node, quickly, so its code is slow. */
const compile = (node: string) =>
	execute(
		node,
		[
			findPlatformModule("node-gyp/bin/node-gyp.js"),
			...["rebuild", "--release", "--jobs=2"],
			`--nodedir=${dirname(dirname(node))}`,
		],
		{
			cwd: join(project, "node_modules/better-sqlite3"),
			// Without npm's variables: node-gyp would take the headers that they name.
			env: {
				HOME: process.env.HOME,
				CFLAGS: "-O0",
				CXXFLAGS: "-O0",
				PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
			},
			maxBuffer: 100_000_000,
		},
	);

describe.each(["node22", "node24"])("%s", (name) => {
	const getNode = () => findPlatformModule(`${name}/bin/node`);
	const bin = () =>
		join(project, "node_modules/partnerwire/bin/partnerwire.js");
	const partnerwire = (cwd: string, ...words: string[]) =>
		execute(getNode(), [bin(), ...words], {
			cwd,
			env: { PATH: process.env.PATH, NO_COLOR: "1" },
		});

	test("the binary of another Node: one sentence says what to run, and no file is left", async () => {
		const { stdout: version } = await execute(getNode(), ["--version"]);
		const cwd = createTempFolder();
		for (const words of [["serve"], ["company", "create", "Acme"], ["demo"]])
			await expect(partnerwire(cwd, ...words, "--json")).rejects.toMatchObject({
				code: 1,
				stderr: expect.stringContaining(
					`better-sqlite3 is not built for Node ${version.trim()}: run \`npm rebuild better-sqlite3\``,
				),
			});
		expect(readdirSync(cwd)).toEqual([]);
	});

	test("built for it: the demo, and a backup that opens", async () => {
		await compile(getNode());
		const cwd = createTempFolder();
		const demo = await partnerwire(cwd, "demo", "--once", "--port", "0");
		expect(demo.stdout).toContain("verified  lead_created");
		await partnerwire(cwd, "company", "create", "Acme");
		await partnerwire(cwd, "backup", "copy.db");
		copyFileSync(join(cwd, "partnerwire.db.key"), join(cwd, "copy.db.key"));
		const user = await partnerwire(
			cwd,
			...["user", "create", "--email", "grace@acme.example"],
			...["--first-name", "Grace", "--last-name", "Hopper"],
			...["--database", "copy.db", "--json"],
		);
		expect(JSON.parse(user.stdout)).toHaveProperty("uuid");
	});
});
