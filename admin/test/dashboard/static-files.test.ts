import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createTempFolder } from "#kit/temp-folder.ts";
import { sendRaw } from "../support/raw-http.ts";

const INDEX = `<!doctype html><title>Dashboard</title>${" ".repeat(500)}`;
const SCRIPT = "export const answer = 42;\n".repeat(50);

let api: Api;
beforeAll(async () => {
	const parent = createTempFolder();
	const folder = join(parent, "web-dist");
	mkdirSync(join(folder, "assets"), { recursive: true });
	writeFileSync(join(parent, "secret.txt"), "not to be served");
	writeFileSync(join(folder, "index.html"), INDEX);
	writeFileSync(join(folder, "favicon.svg"), "<svg/>");
	writeFileSync(join(folder, "assets/index-a1b2c3.js"), SCRIPT);
	api = await openApi({ dashboard: { folder } });
});
afterAll(() => api.close());

const PAGE = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const get = (path: string, headers: Record<string, string> = PAGE) =>
	fetch(api.url + path, { headers });

test.each([
	"/",
	"/integrations",
	"/integrations/01a2/deliveries",
	"/integrations/",
	"/%C3%A4",
	"/?status=failed",
])("%s opens the dashboard", async (path) => {
	const answer = await get(path);
	expect([answer.status, await answer.text()]).toEqual([200, INDEX]);
	expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
	expect(answer.headers.get("cache-control")).toBe("no-cache");
});

test("files have their type; hashed ones are kept for good, the index is asked for again", async () => {
	const script = await get("/assets/index-a1b2c3.js", {});
	expect(await script.text()).toBe(SCRIPT);
	expect(script.headers.get("content-type")).toBe("text/javascript");
	expect(script.headers.get("cache-control")).toBe(
		"public, max-age=31536000, immutable",
	);
	expect((await get("/favicon.svg")).headers.get("content-type")).toBe(
		"image/svg+xml",
	);
	const etag = (await get("/")).headers.get("etag") as string;
	const again = await get("/", { ...PAGE, "if-none-match": etag });
	expect([again.status, await again.text()]).toEqual([304, ""]);
});

test("what is worth it is compressed for whoever takes it", async () => {
	const answer = await sendRaw(api.url, (send) =>
		send(
			"GET /assets/index-a1b2c3.js HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n",
		),
	);
	expect(answer).toMatch(/content-encoding: gzip/i);
	expect(answer).toMatch(/vary: accept-encoding/i);
	expect(answer.length).toBeLessThan(SCRIPT.length);
	const plain = await sendRaw(api.url, (send) =>
		send(
			"GET /assets/index-a1b2c3.js HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
		),
	);
	expect(plain).toContain(SCRIPT);
});

test.each([
	["GET", "/leads", { accept: "*/*" }, "a program that forgot /v1"],
	[
		"GET",
		"/leads",
		{ ...PAGE, authorization: "Bearer pwk_x" },
		"a program that says that it takes HTML",
	],
	["GET", "/assets/gone-a1b2c3.js", PAGE, "a file that is not there"],
	["GET", "/secret.txt", PAGE, "a file beside the folder"],
	["GET", "/docs/unknown", PAGE, "a path that is not the dashboard's"],
	["POST", "/", PAGE, "another method"],
	["DELETE", "/integrations", PAGE, "another method"],
])("%s %s (%j) is not found: %s", async (method, path, headers, _why) => {
	const answer = await fetch(api.url + path, { method, headers });
	expect(answer.status).toBe(404);
	expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
});

describe("nothing outside the folder is served", () => {
	test.each([
		"/../secret.txt",
		"/assets/../../secret.txt",
		"/%2e%2e/secret.txt",
		"/..%2fsecret.txt",
		"/..%5csecret.txt",
		"/%252e%252e%252fsecret.txt",
		"/assets/%2e%2e/%2e%2e/secret.txt",
		"//secret.txt",
		"/assets/..;/..;/secret.txt",
		"/%00/secret.txt",
		"/assets/index-a1b2c3.js%00.html",
		"/%E0%A4%A/secret.txt",
	])("%s", async (path) => {
		const answer = await sendRaw(api.url, (send) =>
			send(
				`GET ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
			),
		);
		expect(answer).toMatch(/^HTTP\/1\.1 40[04] /);
		expect(answer).not.toContain("not to be served");
	});
});

test("every answer carries the security headers, and no page may run or load anything but its own", async () => {
	for (const path of ["/", "/assets/index-a1b2c3.js", "/_admin/session"]) {
		const { headers } = await get(path);
		expect(headers.get("content-security-policy"), path).toBe(
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
		);
		expect(headers.get("x-content-type-options")).toBe("nosniff");
		expect(headers.get("x-frame-options")).toBe("DENY");
		expect(headers.get("referrer-policy")).toBe("no-referrer");
		expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
	}
});

test("a host name that is not the service's own gets nothing", async () => {
	const answer = await sendRaw(api.url, (send) =>
		send("GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"),
	);
	expect(answer).toMatch(/^HTTP\/1\.1 403 /);
	expect(answer).toMatch(/--public-url/);
});

test("without the built pages / says so in one sentence, and the API is there", async () => {
	const folder = join(createTempFolder(), "not-built");
	const bare = await openApi({ dashboard: { folder } });
	const answer = await fetch(`${bare.url}/`);
	expect([answer.status, await answer.text()]).toEqual([
		404,
		"The dashboard is not built: run `npm run build`, then start the service again.\n",
	]);
	expect((await bare.request("GET", "/v1/leads")).status).toBe(200);
	await bare.close();
});
