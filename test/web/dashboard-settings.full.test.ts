import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openTempFolder } from "../support/temp-folder.ts";
import { signIn, useBrowser } from "./support/browser.ts";
import { openDashboard } from "./support/open-dashboard.ts";

const openPage = useBrowser();

test("settings: configuration, events, rate and secrets of the token; what is wrong is said at its field", async () => {
	const dashboard = await openDashboard({
		database: join(openTempFolder(), "test.db"),
	});
	onTestFinished(dashboard.close);
	const { client, url, keys } = dashboard;
	const { id } = await client.createIntegration({
		body: { label: "CRM", webhook_url: "http://127.0.0.1:9/hook" },
	});
	const page = await openPage(url);
	await signIn(page, keys.full);
	await page.goto(`/integrations/${id}/settings`);

	await page.getByRole("button", { name: "Unique key of leads" }).click();
	await page
		.getByRole("textbox", { name: "Value 1 of entry 1" })
		.fill("phone_number");
	await page.getByRole("button", { name: "Add an entry" }).click();
	await page.getByRole("button", { name: "Remove entry 2" }).click();
	await page.getByRole("button", { name: "No Message events" }).click();
	await page.getByRole("radio", { name: "Drop new events" }).click();
	await page.getByRole("button", { name: "Set", exact: true }).first().click();
	await page.getByLabel("New value").fill("their-key");
	await page.getByLabel("Deliveries a second, at most").fill("0");
	await page.getByRole("button", { name: "Save" }).click();
	await page
		.getByRole("group", { name: "Delivery" })
		.getByText(/0\.01/)
		.waitFor();
	await page.getByLabel("Deliveries a second, at most").fill("2.5");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("Saved", { exact: true }).first().waitFor();
	await page
		.getByRole("button", { name: "Save" })
		.waitFor({ state: "detached" });

	const stored = await client.getIntegration({
		params: { integration_id: id },
	});
	expect(stored).toMatchObject({
		label: "CRM",
		configuration: [
			{
				id: "lead_integration_settings",
				selected: [{ id: "unique_field_lead", value: "phone_number" }],
			},
		],
		on_pause: "drop",
		max_per_second: 2.5,
		retry_schedule: null,
		has_api_key: true,
	});
	expect(stored.event_ids).toHaveLength(16);
	expect(await page.content()).not.toContain("their-key");
	expect(dashboard.faults).toEqual([]);
});
