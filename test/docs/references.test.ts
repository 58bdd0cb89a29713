import { existsSync } from "node:fs";
import { join } from "node:path";
import GithubSlugger from "github-slugger";
import { expect, test } from "vitest";
import { listFiles, ROOT, readSource } from "../kit/sources.ts";

const FOLDERS = [
	"shared",
	"dispatcher",
	"receiver",
	"admin",
	"scripts",
	"test",
	"fixtures",
];
const sources = FOLDERS.flatMap(listFiles).filter((path) =>
	/\.(ts|vue|mjs)$/.test(path),
);

const cache = new Map<string, ReadonlySet<string>>();
/** The anchors of a page: those that GitHub gives its headings, and those that it sets itself. */
function anchorsOf(page: string): ReadonlySet<string> {
	const known = cache.get(page);
	if (known) return known;
	const text = readSource(page);
	const slugger = new GithubSlugger();
	const anchors = new Set([
		...[...text.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) =>
			slugger.slug(title),
		),
		...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id),
	]);
	cache.set(page, anchors);
	return anchors;
}

test("each reference of a source to a page leads to a page and an anchor that exist", () => {
	let count = 0;
	const wrong = sources.flatMap((path) =>
		[...readSource(path).matchAll(/\b(docs\/[\w-]+\.md)(?:#([\w-]+))?/g)]
			.filter(([, page = "", anchor]) => {
				count++;
				if (!existsSync(join(ROOT, page))) return true;
				return anchor !== undefined && !anchorsOf(page).has(anchor);
			})
			.map(([reference]) => `${path}: ${reference}`),
	);
	expect(count).toBeGreaterThan(100);
	expect(wrong).toEqual([]);
});

test("no comment refers to a text that is not in the repository", () => {
	// Written apart, or this file would find itself.
	const elsewhere = new RegExp(
		[
			"design" + " §",
			"[dD]ecisions,?" + " §",
			"\\bissue" + " \\d",
			"\\bcases?" + " [A-Z]\\d\\d",
			"\\(spec[,:)]" + "",
		].join("|"),
	);
	const wrong = sources.flatMap((path) =>
		readSource(path)
			.split("\n")
			.flatMap((line, index) =>
				/^\s*(\/\/|\/?\*)/.test(line) && elsewhere.test(line)
					? [`${path}:${index + 1}: ${line.trim()}`]
					: [],
			),
	);
	expect(wrong).toEqual([]);
});
