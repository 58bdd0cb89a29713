import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { commands } from "../../admin/src/cli/commands.ts";
import { expectBuiltCli } from "../kit/built.ts";
import { ROOT } from "../kit/sources.ts";

// Which sources a command loads before it runs. esbuild names the source of each part of a bundle in a comment.

const BUNDLE = join(ROOT, "admin/dist/bundle");
const STATIC_IMPORT = /(?:^import|\} from) "\.\/([^"]+)";$/gm;
const SOURCE = /^\/\/ (\S+\.\w+)$/gm;

const found = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, name]) => name as string);

/** The sources of a file of the bundle, and of the files that are loaded with it. */
function sourcesOf(file: string): string[] {
	const texts = new Map<string, string>();
	const load = (name: string): void => {
		if (texts.has(name)) return;
		const text = readFileSync(join(BUNDLE, name), "utf8");
		texts.set(name, text);
		for (const other of found(text, STATIC_IMPORT)) load(other);
	};
	load(file);
	return [...texts.values()].flatMap((text) => found(text, SOURCE));
}

/** The file that holds a source which is loaded when it is needed. */
const fileOf = (source: string): string =>
	readdirSync(BUNDLE).find((name) =>
		readFileSync(join(BUNDLE, name), "utf8").includes(`\n// ${source}\n`),
	) ?? expect.fail(`the bundle holds no ${source}`);

test.each(["main", ...Object.keys(commands).map((name) => `commands/${name}`)])(
	"%s is loaded without the database code",
	(name) => {
		expectBuiltCli();
		const sources = sourcesOf(fileOf(`admin/src/cli/${name}.ts`));
		expect(sources).toContain("admin/src/cli/output/standard-streams.ts");
		expect(sources.filter((path) => path.includes("core/src/db/"))).toEqual([]);
	},
);

test("a service is loaded without undici, zod's other languages and the shared stores of rate limits", () => {
	expectBuiltCli();
	const sources = sourcesOf(fileOf("admin/src/cli/start.ts"));
	expect(sources).toContain("shared/core/src/db/storage-error.ts");
	const spared = /\/(undici|rate-limiter-flexible|locales(?!\/en\.))\//;
	expect(sources.filter((path) => spared.test(path))).toEqual([]);
});
