import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { listFiles } from "#kit/sources.ts";
import { buildSite } from "../../../scripts/docs-site/build-site.ts";
import { SECTIONS } from "../../../scripts/docs-site/sections.ts";
import { DOCS_DIST } from "../../src/http/docs.ts";

let api: Api;
beforeAll(async () => {
	buildSite(DOCS_DIST);
	api = await openApi();
});
afterAll(() => api.close());

const get = (path: string, init?: RequestInit) =>
	fetch(new URL(path, api.url), { redirect: "manual", ...init });
const pageNames = listFiles("docs")
	.filter((path) => /^docs\/[\w-]+\.md$/.test(path))
	.map((path) => path.slice("docs/".length, -".md".length));

test("A163 /docs is there without a key, under a policy that lets nothing in from elsewhere", async () => {
	for (const path of ["/docs", "/docs/", "/docs/api", "/docs/api/"]) {
		const answer = await get(path);
		expect([path, answer.status]).toEqual([path, 200]);
		expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
		const policy = answer.headers.get("content-security-policy");
		expect(policy).toContain("default-src 'none'");
		expect(policy).not.toContain("unsafe");
		expect(await answer.text()).toMatch(/^<!doctype html>/);
	}
});

test.each(pageNames)(
	"docs/%s.md is a page, in the navigation, and as Markdown",
	async (name) => {
		const answer = await get(`/docs/${name}`);
		expect(answer.status).toBe(200);
		const html = await answer.text();
		expect(html).toContain(`href="/docs/${name}" aria-current="page"`);
		expect(html).not.toMatch(/<script(?![^>]*src=)|<[^>]*\s(style|on\w+)=/);
		const markdown = await get(`/docs/${name}.md`);
		expect(markdown.headers.get("content-type")).toBe(
			"text/markdown; charset=utf-8",
		);
	},
);

test("no link, picture, style or script of a page leads nowhere, and no page loads anything from elsewhere", async () => {
	const seen = new Map<string, string>();
	const ids = new Map<string, Set<string>>();
	const waiting = ["/docs/", "/docs/api/"];
	const wanted: [from: string, to: string, hash: string][] = [];
	for (let path = waiting.pop(); path; path = waiting.pop()) {
		if (seen.has(path)) continue;
		const answer = await get(path);
		expect([path, answer.status]).toEqual([path, 200]);
		const type = answer.headers.get("content-type") ?? "";
		seen.set(path, type);
		const html = await answer.text();
		if (!type.startsWith("text/html")) continue;
		ids.set(
			path,
			new Set(
				[...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id as string),
			),
		);
		for (const [, kind, link = ""] of html.matchAll(
			/\s(href|src|srcset)="([^"]+)"/g,
		)) {
			if (/^https?:/.test(link)) {
				expect([path, kind]).toEqual([path, "href"]);
				continue;
			}
			const url = new URL(link, `http://x${path}`);
			wanted.push([path, url.pathname, url.hash.slice(1)]);
			if (/^\/(docs|openapi)/.test(url.pathname)) waiting.push(url.pathname);
		}
	}
	for (const [from, to, hash] of wanted)
		if (hash && ids.has(to))
			expect(ids.get(to), `${from} → ${to}`).toContain(
				decodeURIComponent(hash),
			);
	expect(seen.size).toBeGreaterThan(pageNames.length);
	expect(seen.get("/docs/_site/site.css")).toMatch(/^text\/css/);
	expect(seen.get("/docs/_site/swagger-ui-bundle.js")).toMatch(/javascript/);
	expect(seen.get("/docs/_site/favicon.svg")).toBe("image/svg+xml");
});

test("files are kept by their tag, and sent compressed", async () => {
	const first = await get("/docs/receiver", {
		headers: { "accept-encoding": "gzip" },
	});
	expect(first.headers.get("content-encoding")).toBe("gzip");
	const tag = first.headers.get("etag") ?? "";
	const again = await get("/docs/receiver", {
		headers: { "accept-encoding": "gzip", "if-none-match": tag },
	});
	expect(again.status).toBe(304);
	expect((await get("/docs/receiver", { method: "HEAD" })).status).toBe(200);
});

test("what is not there is 404 in the envelope, whatever the path tries", async () => {
	for (const path of [
		"/docs/nothing",
		"/docs/%2e%2e/%2e%2e/package.json",
		"/docs/index.html.gz.gz",
	]) {
		const answer = await get(path);
		expect([path, answer.status]).toEqual([path, 404]);
		expect((await answer.json()).error.code).toBe("not_found");
	}
});

test("every page has its place in the navigation, once, and every place its page", () => {
	const placed = SECTIONS.flatMap(([, names]) => names);
	expect(placed.toSorted()).toEqual(pageNames.toSorted());
});
