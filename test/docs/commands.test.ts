import { expect, test } from "vitest";
import { blocksOf } from "../kit/code-blocks.ts";
import { findCommand } from "../kit/program/find-command.ts";
import { startPartnerwire } from "../kit/program/partnerwire.ts";
import { listFiles, readSource } from "../kit/sources.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

// Some commands need more than a test can provide.
const pages = [
	"README.md",
	"admin/README.md",
	...listFiles("docs"),
	...listFiles("test/newcomer"),
].filter((path) => path.endsWith(".md"));
const lines = pages.flatMap((page) =>
	blocksOf(page)
		.filter(({ language }) => language === "sh")
		.flatMap(({ code }) =>
			code
				.replaceAll("\\\n", " ")
				.split("\n")
				.map((line) => ({ page, line })),
		),
);
const { scripts } = JSON.parse(readSource("package.json"));

/** The words of `partnerwire …` in a line, up to the end of the command. */
function toCommands(line: string): string[][] {
	return [...line.matchAll(/(?:^|[\s(])partnerwire ([a-z][^#|;&>)]*)/g)].map(
		([, words = ""]) => words.trim().split(/\s+/),
	);
}

test("every command and flag that the pages show is one of the command line's", async () => {
	const seen: string[] = [];
	for (const { page, line } of lines)
		for (const [name = "", ...rest] of toCommands(line)) {
			const where = `${page}: ${line}`;
			const command = await findCommand([name, ...rest]);
			// A group without a command does nothing.
			expect(command.run, where).toBeTypeOf("function");
			const known = Object.keys(command.args ?? {}).map((flag) => `--${flag}`);
			for (const flag of rest.filter((word) => /^--\w/.test(word)))
				expect(known, where).toContain(
					(flag.split("=")[0] ?? "").replace(/^--no-/, "--"),
				);
			seen.push(name);
		}
	expect(new Set(seen).size).toBeGreaterThan(8);
});

test("every npm script that the pages show is there", () => {
	const shown = lines.flatMap(({ line }) =>
		[...line.matchAll(/\bnpm run ([\w:-]+)/g)].map(
			([, name]) => name as string,
		),
	);
	expect(shown.length).toBeGreaterThan(3);
	for (const name of shown) expect(scripts).toHaveProperty([name]);
});

test("the service of docs/admin.md starts behind its proxy", async () => {
	const [block] = blocksOf("docs/admin.md").filter(
		({ language }) => language === "sh",
	);
	const [words = []] = toCommands(block?.code ?? "");
	const cwd = createTempFolder();
	const service = startPartnerwire([...words, "--json", "--port", "0"], {
		cwd,
	});
	expect((await service.line("ready")).url).toMatch(/^http:/);
	expect(await service.stop()).toBe(0);
});

test("docs/mcp.md shows what clients read", () => {
	const [block] = blocksOf("docs/mcp.md");
	const { mcpServers } = JSON.parse(block?.code ?? "");
	expect(mcpServers.partnerwire).toEqual({
		type: "http",
		url: "http://127.0.0.1:3000/mcp",
		headers: { Authorization: expect.stringMatching(/^Bearer pwk_/) },
	});
});
