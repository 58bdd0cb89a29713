import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
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

/** A user's own page at the service's origin, as behind a common proxy. */
async function openOwnPage(origin: string): Promise<Page> {
	const page = await openPage(origin);
	await page.route(`${origin}/own-page`, (route) =>
		route.fulfill({
			contentType: "text/html",
			body: "<!doctype html><link rel='icon' href='data:,'><title>Own</title>",
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
