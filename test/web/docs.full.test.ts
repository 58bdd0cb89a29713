import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTempFolder } from "../support/temp-folder.ts";
import { findSeriousFaults } from "./support/axe.ts";
import { useBrowser } from "./support/browser.ts";
import { openDashboard } from "./support/open-dashboard.ts";

const openPage = useBrowser();

let service: Awaited<ReturnType<typeof openDashboard>>;
beforeAll(async () => {
	const database = join(openTempFolder(), "test.db");
	service = await openDashboard({ database });
});
afterAll(async () => {
	await service.close();
	expect(service.faults).toEqual([]);
});

describe.each(["light", "dark"] as const)("%s, 390 px wide", (colorScheme) => {
	const viewport = { width: 390, height: 844 };

	test("the API reference opens an operation, and asks nobody else for anything", async () => {
		const page = await openPage(service.url, { colorScheme, viewport });
		await page.goto("/docs/api/");
		const operation = page.locator("#operations-Leads-createLead");
		await operation.waitFor();
		expect(await findSeriousFaults(page)).toEqual([]);
		await operation.getByRole("button").first().click();
		await operation.getByRole("button", { name: "Try it out" }).waitFor();
		await operation.getByText("partnership_uuid").first().waitFor();
		expect(await findSeriousFaults(page)).toEqual([]);
		const isWide = await page.evaluate(
			"document.documentElement.scrollWidth > innerWidth",
		);
		expect(isWide).toBe(false);
	});

	test("a page is reached by the menu, and reads without scrolling to the side", async () => {
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
		const isWide = await page.evaluate(
			"document.documentElement.scrollWidth > innerWidth",
		);
		expect(isWide).toBe(false);
	});
});
