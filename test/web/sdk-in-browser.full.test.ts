import { join } from "node:path";
import { build } from "esbuild";
import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { createTempFolder } from "../kit/temp-folder.ts";
import { useBrowser } from "./support/browser.ts";
import { openDashboard } from "./support/open-dashboard.ts";

const openPage = useBrowser();

/** The script of a user's own page. It uses the SDK and reports the results. */
const CODE = `
import { createClient, items } from "@partnerwire/sdk";

export async function run(baseUrl, apiKey) {
	const client = createClient({ baseUrl, apiKey });
	const partner = await client.createPartner({ body: { name: "Globex", partner_type: "referral" } });
	const lead = await client.createLead({ body: { partnership_uuid: partner.uuid, company_name: "Initech" } });
	const names = [];
	for await (const item of items(client.listLeads, { query: { search: "initech" } })) names.push(item.company_name);
	const missing = await client.getLead({ params: { uuid: partner.uuid } }).catch((error) => error.code);
	const refused = await client.deleteLeadNote({ params: { uuid: lead.uuid, subUuid: ".." } }).catch((error) => error.message);

	const own = globalThis.fetch;
	let seen = 0;
	globalThis.fetch = (...request) => { seen++; return own(...request); };
	await client.getLead({ params: { uuid: lead.uuid } });
	globalThis.fetch = own;

	const handed = createClient({ baseUrl, apiKey, fetch: globalThis.fetch });
	const found = await handed.getLead({ params: { uuid: lead.uuid } });
	return { names, missing, refused, seen, archived: found.archived_at };
}`;

const EXPECTED = {
	names: ["Initech"],
	missing: "not_found",
	refused: "deleteLeadNote: path/subUuid: must be a UUID",
	seen: 1,
	archived: null,
};

let bundle = "";
beforeAll(async () => {
	const { outputFiles } = await build({
		stdin: { contents: CODE, resolveDir: import.meta.dirname },
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
	await page.goto("/own-page");
	return page;
}

test("a page calls the service by the SDK", async () => {
	const { url, key } = await open();
	const page = await openOwnPage(url);
	expect(
		await page.evaluate(
			`${bundle}; example.run(${JSON.stringify(url)}, ${JSON.stringify(key)})`,
		),
	).toEqual(EXPECTED);
});

test("a Worker calls the service by the SDK", async () => {
	const { url, key } = await open();
	const page = await openOwnPage(url);
	const code = `${bundle}; example.run(${JSON.stringify(url)}, ${JSON.stringify(key)})
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
	).toEqual(EXPECTED);
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
	expect(
		await page.evaluate(
			`${bundle}; example.run(${JSON.stringify(origin)}, ${JSON.stringify(key)})`,
		),
	).toEqual(EXPECTED);
});
