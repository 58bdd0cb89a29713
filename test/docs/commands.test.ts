import { expect, test } from "vitest";
import { blocksOf } from "../support/code-blocks.ts";
import { runPartnerwire, startPartnerwire } from "../support/partnerwire.ts";
import { listFiles, readSource } from "../support/sources.ts";
import { openTempFolder } from "../support/temp-folder.ts";

// Among them README.md, admin/README.md, docs/admin.md and docs/receiver.md, whose commands need more than a test can give them.
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

const helps = new Map<string, Promise<string>>();
/** The help of a command, asked for once. */
function helpOf(command: readonly string[]): Promise<string> {
	const key = command.join(" ");
	const help =
		helps.get(key) ??
		runPartnerwire([...command, "--help"]).then(({ code, stdout }) => {
			expect(code, key).toBe(0);
			return stdout;
		});
	helps.set(key, help);
	return help;
}

const GROUPS = [
	"token",
	"company",
	"user",
	"key",
	"integration",
	"deliveries",
	"inbox",
	"secrets",
];

/** The words of `partnerwire …` in a line, up to what ends the command. */
function toCommands(line: string): string[][] {
	return [...line.matchAll(/(?:^|[\s(])partnerwire ([a-z][^#|;&>)]*)/g)].map(
		([, words = ""]) => words.trim().split(/\s+/),
	);
}

test("every command and flag that the pages show is in the command line's help", async () => {
	const seen: string[] = [];
	for (const { page, line } of lines)
		for (const [name = "", ...rest] of toCommands(line)) {
			const isGroup = GROUPS.includes(name) && /^[a-z]/.test(rest[0] ?? "");
			const command = isGroup ? [name, rest[0] as string] : [name];
			const help = await helpOf(command);
			expect(help, `${page}: ${line}`).toContain(
				`partnerwire ${command.join(" ")}`,
			);
			for (const flag of rest.filter((word) => /^--\w/.test(word)))
				expect(help, `${page}: ${line}`).toContain(
					(flag.split("=")[0] ?? "").replace(/^--no-(?=json|wait)/, "--"),
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
	const cwd = openTempFolder();
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
