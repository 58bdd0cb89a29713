import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const DIST = join(import.meta.dirname, "../../web-dist");
const MAX_BYTES = 300 * 1024;

interface Chunk {
	file: string;
	css?: string[];
	imports?: string[];
}
const read = (file: string) => readFileSync(join(DIST, file));
const manifest: Record<string, Chunk> = JSON.parse(
	read(".vite/manifest.json").toString(),
);

/** The files that a page needs before it shows anything, `keys` being its entry and its route. */
function filesOf(keys: readonly string[]): string[] {
	const chunks = new Set<string>();
	const visit = (key: string) => {
		if (chunks.has(key)) return;
		chunks.add(key);
		manifest[key]?.imports?.forEach(visit);
	};
	keys.forEach(visit);
	const files = [...chunks].flatMap((key) => {
		const { file, css = [] } = manifest[key] as Chunk;
		return [file, ...css];
	});
	return [...new Set(["index.html", ...files])];
}

test.each(["sign-in", "integration-list"])(
	"the first load, with the page %s and a font, is at most 300 KB compressed",
	(page) => {
		const files = filesOf(["index.html", `src/pages/${page}.vue`]);
		expect(
			files.filter((file) => file.endsWith(".css")).length,
		).toBeGreaterThan(0);
		const font = Object.values(manifest).find(({ file }) =>
			/inter-latin-wght-normal.*woff2$/.test(file),
		);
		const bytes = [...files, ...(font ? [font.file] : [])]
			.map((file) => gzipSync(read(file)).length)
			.reduce((sum, size) => sum + size, 0);
		expect(font).toBeDefined();
		expect(bytes).toBeLessThan(MAX_BYTES);
	},
);

test("the page holds nothing inline and names no other origin", () => {
	const html = read("index.html").toString();
	expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\sstyle=|\son\w+=/i);
	const css = Object.values(manifest)
		.flatMap(({ css: styles = [], file }) => [...styles, file])
		.filter((file) => file.endsWith(".css"));
	for (const text of [html, ...css.map((file) => read(file).toString())])
		expect(text).not.toMatch(
			/(src|href)="(https?:)?\/\/|url\((["']?)(https?:)?\/\//i,
		);
});
