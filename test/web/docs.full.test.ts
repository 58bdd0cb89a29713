import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DOCS_DIST } from "../../admin/src/http/docs.ts";
import { findPartnership } from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";
import { findSeriousFaults } from "./support/axe.ts";
import { useBrowser } from "./support/browser.ts";
import { openDashboard } from "./support/open-dashboard.ts";

const openPage = useBrowser();

let service: Awaited<ReturnType<typeof openDashboard>>;
beforeAll(async () => {
	const database = join(createTempFolder(), "test.db");
	service = await openDashboard({ database });
});
afterAll(async () => {
	await service.close();
	expect(service.faults).toEqual([]);
});

/** The elements that reach beyond the window's right edge, but are not in a scrolling element. */
const findWide = (page: Page): Promise<string[]> =>
	page.evaluate(`[...document.querySelectorAll("body, body *")]
		.filter((one) => one.getBoundingClientRect().right > innerWidth + 1)
		.filter((one) => !one.closest("pre, .table, .opblock-body pre, svg"))
		.map((one) => one.tagName + "." + one.className)`);

/** Enters a key in "Authorize", as a person does. */
async function authorize(page: Page, key: string): Promise<void> {
	await page.getByRole("button", { name: "Authorize" }).first().click();
	const dialog = page.locator(".modal-ux");
	// The token of webhooks is not asked for.
	expect(await dialog.getByRole("textbox").count()).toBe(2);
	await dialog.getByRole("textbox").first().fill(key);
	await dialog
		.getByRole("button", { name: /apply|authorize/i })
		.first()
		.click();
	await dialog.getByRole("button", { name: "Close" }).first().click();
}

async function openOperation(page: Page): Promise<Locator> {
	await page.goto("/docs/api/");
	await page.locator("#operations-tag-Leads").click();
	const operation = page.locator("#operations-Leads-createLead");
	await operation.getByRole("button").first().click();
	await operation.getByRole("button", { name: "Try it out" }).waitFor();
	return operation;
}

// These rules are off: Swagger UI nests buttons, and its lists have no names.
describe.each([
	["light", 390],
	["dark", 390],
	["light", 1280],
] as const)("%s, %i px wide", (colorScheme, width) => {
	const look = { colorScheme, viewport: { width, height: 844 } };

	test("the API reference shows every group, opens an operation, and asks nobody else for anything", async () => {
		const page = await openPage(service.url, look);
		const operation = await openOperation(page);
		const document = await (await fetch(`${service.url}/openapi.json`)).json();
		const groups = page.locator(".opblock-tag .nostyle");
		expect(await groups.allInnerTexts()).toEqual(
			expect.arrayContaining(
				document.tags.map(({ name }: { name: string }) => name),
			),
		);
		await operation.getByText("Idempotency-Key").first().waitFor();
		expect(await findWide(page)).toEqual([]);
	});

	test("an operation that is tried out, with a key, does what it says", async () => {
		const page = await openPage(service.url, look);
		const operation = await openOperation(page);
		await authorize(page, service.keys.full);
		await operation.getByRole("button", { name: "Try it out" }).click();
		const email = `${colorScheme}.${width}@tried.example`;
		const partnership_uuid = await findPartnership(service.client);
		await operation
			.locator("textarea.body-param__text")
			.fill(JSON.stringify({ email, partnership_uuid }));
		await operation.getByRole("button", { name: "Execute" }).click();
		const answer = operation.locator(".live-responses-table");
		await answer.getByText("201").first().waitFor();
		expect(await findWide(page)).toEqual([]);
		const { data } = await service.client.listLeads({
			query: { search: email },
		});
		expect(data.map((lead) => lead.email)).toEqual([email]);
	});
});

test.each([
	["createDeal", "Deals", ["createDeal", "createDealNote"]],
	["CREATELEADNOTE", "Leads", ["createLeadNote"]],
	["Permanently nothing", null, []],
])("the API reference finds %s", async (text, group, ids) => {
	const page = await openPage(service.url);
	await page.goto("/docs/api/");
	const leads = page.locator("#operations-tag-Leads");
	await leads.waitFor();
	await page.locator(".operation-filter-input").fill(text);
	if (group !== "Leads") await leads.waitFor({ state: "detached" });
	if (group) await page.locator(`#operations-tag-${group}`).click();
	for (const id of ids)
		await page.locator(`#operations-${group}-${id}`).waitFor();
	expect(await page.locator(`[id^="operations-tag-"]`).count()).toBeLessThan(4);
});

test("every page reads without scrolling to the side on a phone", async () => {
	const viewport = { width: 390, height: 844 };
	const page = await openPage(service.url, { viewport });
	const names = readdirSync(DOCS_DIST)
		.filter((name) => name.endsWith(".html"))
		.map((name) => name.replace(".html", ""));
	expect(names.length).toBeGreaterThan(20);
	for (const name of names) {
		const answer = await page.goto(`/docs/${name === "index" ? "" : name}`);
		expect([name, answer?.status()]).toEqual([name, 200]);
		expect([name, await findWide(page)]).toEqual([name, []]);
	}
});

test.each(["light", "dark"] as const)(
	"%s: a page is reached by the menu on a phone, without serious faults",
	async (colorScheme) => {
		const viewport = { width: 390, height: 844 };
		const page = await openPage(service.url, { colorScheme, viewport });
		await page.goto("/docs/");
		await page.getByText("Menu", { exact: true }).click();
		await page
			.getByRole("navigation", { name: "Menu" })
			.getByRole("link", { name: "Quick start" })
			.click();
		await page
			.getByRole("heading", { name: "Quick start", level: 1 })
			.waitFor();
		expect(await findSeriousFaults(page)).toEqual([]);
	},
);
