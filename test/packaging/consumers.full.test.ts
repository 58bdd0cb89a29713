/** Programs of users, in ES modules and CommonJS: compiled without the DOM's types by the oldest and the newest TypeScript, and run. */
import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { blocksOf } from "../kit/code-blocks.ts";
import { findPlatformModule } from "../kit/platforms/module-of-platforms.ts";
import { installPacked } from "../kit/program/install-packed.ts";
import { ROOT, readSource } from "../kit/sources.ts";

const run = promisify(execFile);

const findOldest = () => findPlatformModule("typescript54/bin/tsc");
const COMPILERS: readonly [name: string, find: () => string][] = [
	["TypeScript 5.4", findOldest],
	["TypeScript 6", () => join(ROOT, "node_modules/typescript/bin/tsc")],
	["TypeScript 7", () => join(ROOT, "node_modules/typescript-native/bin/tsc")],
];

/** The packages that are installed into programs of users. */
const FOLDERS = ["receiver", "shared/wire", "shared/sdk", "dispatcher"];
/** Their types are those of a database's libraries, and of Fastify, which are not ours. */
const LEFT_OUT = [
	"@partnerwire/dispatcher/worker",
	"@partnerwire/receiver/fastify",
];

const manifests = FOLDERS.map(
	(folder) =>
		JSON.parse(readSource(`${folder}/package.json`)) as {
			name: string;
			exports: Record<string, unknown>;
		},
);
const entries = manifests
	.flatMap(({ name, exports }) =>
		Object.keys(exports).map((path) => `${name}${path.slice(1)}`),
	)
	.filter((path) => !LEFT_OUT.includes(path));

let project = "";
beforeAll(async () => {
	project = await installPacked([
		...manifests.map(({ name }) => name),
		"@types/node",
	]);
}, 300_000);

let programs = 0;

/** Compiles a program in the project, into the folder `out` beside it. Resolves to its folder, and to the errors. */
async function compile(
	tsc: string,
	files: Readonly<Record<string, string>>,
): Promise<{ folder: string; errors: string }> {
	const folder = join(project, `program-${++programs}`);
	mkdirSync(folder);
	const compilerOptions = {
		strict: true,
		target: "es2022",
		lib: ["es2022"],
		types: ["node"],
		module: "nodenext",
		skipLibCheck: false,
		outDir: "out",
		rootDir: ".",
	};
	writeFileSync(
		join(folder, "tsconfig.json"),
		JSON.stringify({ compilerOptions, files: Object.keys(files) }),
	);
	for (const [name, code] of Object.entries(files))
		writeFileSync(join(folder, name), code);
	const errors = await run(process.execPath, [tsc, "-p", folder], {
		cwd: folder,
	}).then(
		() => "",
		({ stdout }: { stdout: string }) => stdout,
	);
	return { folder, errors };
}

/** Loads a program whose `server` listens, and sends it an event. */
const SEND = `
const { signedRequest, TEST_SECRET } = require("@partnerwire/receiver/testing");
process.env.PARTNERWIRE_WEBHOOK_SECRET = TEST_SECRET;
process.env.PORT = "0";
(async () => {
	const server = await require(process.argv[2]).server;
	if (!server.listening) await new Promise((resolve) => server.once("listening", resolve));
	const request = await signedRequest({ eventId: "lead_created" });
	const { status } = await fetch("http://localhost:" + server.address().port, {
		method: "POST",
		headers: request.headers,
		body: await request.arrayBuffer(),
	});
	console.log(status);
	process.exit();
})();
`;

async function sendTo(file: string): Promise<string[]> {
	const driver = join(project, "send.cjs");
	writeFileSync(driver, SEND);
	const { stdout } = await run(process.execPath, [driver, file]);
	return stdout.trim().split("\n");
}

const HANDLED = [expect.stringMatching(/^new lead /), "200"];

/** The blocks of docs/receiver.md in a language. */
const blocks = (language: string): string[] =>
	blocksOf("docs/receiver.md")
		.filter((block) => block.language === language)
		.map(({ code }) => code);
const [receiver = ""] = blocks("js");
const server =
	blocks("js").find((code) => code.includes("toNodeHandler")) ?? "";

const list = (toLine: (path: string, index: number) => string) =>
	entries.map(toLine).join("\n");
const PROGRAMS = {
	"all.mts": list((path, index) => `export * as e${index} from "${path}";`),
	"all.cts": list((path, at) => `export const e${at} = import("${path}");`),
	"loaded.cts": blocks("cts")[0] ?? "",
};
/** `import` in CommonJS, which TypeScript from 5.8 on compiles to a `require` of the modules. */
const IMPORTS = {
	"receiver.cts": receiver,
	"server.cts": server.replace("./receiver.js", "./receiver.cjs"),
};

describe.each(COMPILERS)("%s", (_, find) => {
	const isOldest = find === findOldest;
	let compiled: Awaited<ReturnType<typeof compile>>;
	beforeAll(async () => {
		const programs = isOldest ? PROGRAMS : { ...PROGRAMS, ...IMPORTS };
		compiled = await compile(find(), programs);
	}, 300_000);

	test("takes the types of every entry, in ES modules and CommonJS", () => {
		expect(compiled.errors).toBe("");
	});

	test.each(isOldest ? ["loaded"] : ["loaded", "server"])(
		"the CommonJS that it makes of docs/receiver.md runs: %s",
		async (program) => {
			const file = join(compiled.folder, `out/${program}.cjs`);
			expect(await sendTo(file)).toEqual(HANDLED);
		},
	);
});

test("before TypeScript 5.8, import in CommonJS is an error, so docs/receiver.md shows another way", async () => {
	const { errors } = await compile(findOldest(), IMPORTS);
	expect(errors).toContain("TS1479");
});

test("require loads the receiver, as docs/receiver.md says", async () => {
	const file = join(project, "required.cjs");
	writeFileSync(file, blocks("cjs")[0] ?? "");
	expect(await sendTo(file)).toEqual(HANDLED);
});
