/** The blocks of docs/receiver.md as a user's files: Node runs them as they stand, and TypeScript accepts them. */
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { beforeAll, expect, test } from "vitest";
import { blocksOf } from "#kit/code-blocks.ts";
import { ROOT } from "#kit/sources.ts";
import { openBlocks } from "./helpers/doc-blocks.ts";

const run = promisify(execFile);
const { folder } = openBlocks();

const [receiver = "", ...others] = blocksOf("docs/receiver.md")
	.filter(({ language }) => language === "js")
	.map(({ code }) => code);
/** They need a server, or a test runner. Other tests run them. */
const NEEDS_MORE = /REDIS_URL|DATABASE_URL|PARTNERWIRE_URL|"vitest"/;
const programs = others.map(
	(code, index) => [`block-${index + 1}`, code] as const,
);
const alone = programs.filter(([, code]) => !NEEDS_MORE.test(code));

beforeAll(() => {
	for (const [name, code] of [["receiver", receiver], ...programs] as const)
		for (const extension of ["js", "ts"])
			writeFileSync(join(folder, `${name}.${extension}`), code);
});

test.each(alone)("Node runs %s", async (name) => {
	const load = `await import("./${name}.js"); process.exit();`;
	await run(process.execPath, ["--input-type=module", "--eval", load], {
		cwd: folder,
		env: { ...process.env, PORT: "0", PARTNERWIRE_WEBHOOK_SECRET: TEST_SECRET },
	});
});

test("TypeScript accepts all of them", async () => {
	const compilerOptions = {
		...{ strict: true, noEmit: true, skipLibCheck: true },
		...{ module: "nodenext", target: "es2022", lib: ["es2022"] },
		types: ["node"],
	};
	writeFileSync(
		join(folder, "tsconfig.json"),
		JSON.stringify({ compilerOptions, include: ["*.ts"] }),
	);
	const tsc = join(ROOT, "node_modules/typescript-native/bin/tsc");
	const errors = await run(process.execPath, [tsc, "-p", folder]).then(
		() => "",
		({ stdout }: { stdout: string }) => stdout,
	);
	expect(errors).toBe("");
});

test("most of the blocks were run", () => {
	expect(alone.length).toBeGreaterThan(10);
});
