import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { listenHttp } from "../kit/endpoints/receivers.ts";
import {
	type DemoService,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { SDK_PROGRAM, SDK_RESULT } from "../kit/program/sdk-program.ts";
import { createTempFolder } from "../kit/temp-folder.ts";
import { useBrowser } from "./support/browser.ts";
import { openDashboard } from "./support/open-dashboard.ts";

const openPage = useBrowser();

let bundle = "";
beforeAll(async () => {
	const { outputFiles } = await build({
		stdin: {
			contents: `${SDK_PROGRAM}\nexport { run };`,
			resolveDir: import.meta.dirname,
		},
		bundle: true,
		write: false,
		format: "iife",
		globalName: "example",
		platform: "browser",
		conditions: ["partnerwire-source"],
	});
	bundle = outputFiles[0]?.text ?? "";
});

async function open() {
	const database = join(createTempFolder(), "test.db");
	const { url, keys, faults, close } = await openDashboard({ database });
	onTestFinished(async () => {
		await close();
		expect(faults).toEqual([]);
	});
	return { url, key: keys.full };
}

const OWN_PAGE =
	"<!doctype html><link rel='icon' href='data:,'><title>Own</title>";
const REFUSED = "TypeError: Failed to fetch";

/** Serves a user's own page at an origin of its own. */
async function serveOwnPage(): Promise<string> {
	const { url } = await listenHttp((_, response) =>
		response.setHeader("content-type", "text/html").end(OWN_PAGE),
	);
	return new URL(url).origin;
}

/** A user's own page at the service's origin, as behind a common proxy. */
async function openOwnPage(origin: string): Promise<Page> {
	const page = await openPage(origin);
	await page.route(`${origin}/own-page`, (route) =>
		route.fulfill({
			contentType: "text/html",
			body: OWN_PAGE,
		}),
	);
	await page.route(`${origin}/moved/**`, (route) =>
		route.fulfill({
			status: 302,
			headers: { location: `${origin}/v1/leads` },
		}),
	);
	await page.goto("/own-page");
	return page;
}

/** The call of the program, as text. */
const toCall = (origin: string, apiKey: string) =>
	`${bundle}; example.run(${JSON.stringify({ baseUrl: origin, apiKey, moved: `${origin}/moved` })})`;

test("a page calls the service by the SDK", async () => {
	const { url, key } = await open();
	const page = await openOwnPage(url);
	expect(await page.evaluate(toCall(url, key))).toEqual(SDK_RESULT);
});

test("a Worker calls the service by the SDK", async () => {
	const { url, key } = await open();
	const page = await openOwnPage(url);
	const code = `${toCall(url, key)}
		.then(postMessage, (error) => postMessage(String(error)));`;
	expect(
		await page.evaluate(
			(text) =>
				new Promise((resolve, reject) => {
					const worker = new Worker(URL.createObjectURL(new Blob([text])));
					worker.onmessage = ({ data }) => resolve(data);
					worker.onerror = ({ message }) => reject(new Error(message));
				}),
			code,
		),
	).toEqual(SDK_RESULT);
});

test("a page over http: calls it too, where browsers leave parts of crypto out", async () => {
	const { url, key } = await open();
	const origin = "http://own.example";
	const page = await openOwnPage(origin);
	await page.route(`${origin}/v1/**`, async (route) => {
		const { origin: _, ...headers } = route.request().headers();
		const { pathname, search } = new URL(route.request().url());
		const asked = `${url}${pathname}${search}`;
		await route.fulfill({
			response: await route.fetch({ url: asked, headers }),
		});
	});
	expect(await page.evaluate("crypto.randomUUID")).toBe(undefined);
	expect(await page.evaluate(toCall(origin, key))).toEqual(SDK_RESULT);
});

describe("a page of another origin", () => {
	const start = async (args: string[]) => {
		const service = await startDemoService(createTempFolder(), { args });
		onTestFinished(async () => expect(await service.stop()).toBe(0));
		return service;
	};
	/** Runs code with the SDK at hand. The page is really at its origin: browsers treat loopback addresses apart. */
	async function runAt(
		origin: string,
		{ url, keys }: DemoService,
		code: string,
	) {
		const page = await openPage(origin, { mayAsk: url });
		await page.goto("/");
		const given = JSON.stringify({
			baseUrl: url,
			apiKey: keys.full,
			// Its own server, which answers everything with the page.
			moved: origin,
		});
		return page.evaluate(
			`${bundle}; (async (given) => ${code})(${given}).catch(String)`,
		);
	}
	const listLeads = (init: string) =>
		`(await fetch(given.baseUrl + "/v1/leads", { ${init} headers: { authorization: "Bearer " + given.apiKey } })).headers.get("ratelimit-limit")`;

	test("calls the service by the SDK if it is named, and reads its headers", async () => {
		const origin = await serveOwnPage();
		const service = await start([
			"--cors-origin",
			`https://a.example,${origin}`,
		]);
		expect(await runAt(origin, service, "example.run(given)")).toEqual(
			SDK_RESULT,
		);
		expect(await runAt(origin, service, listLeads(""))).toBe("500");
		// The browser withholds an answer to a request that would bring cookies.
		const withCookies = listLeads('credentials: "include",');
		expect(await runAt(origin, service, withCookies)).toBe(REFUSED);
	});

	test.each([
		["another one is named", ["--cors-origin", "https://a.example"]],
		["none is", []],
	])("changes nothing and reads nothing if %s", async (_, args) => {
		const service = await start(args);
		const count = async () =>
			(await service.client.listPartners()).pagination.total;
		const before = await count();
		const origin = await serveOwnPage();
		expect(await runAt(origin, service, "example.run(given)")).toBe(REFUSED);
		expect(await count()).toBe(before);
	});
});
