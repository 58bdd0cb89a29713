import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTempFolder } from "../kit/temp-folder.ts";
import { signIn, useBrowser } from "./support/browser.ts";
import { openDashboard } from "./support/open-dashboard.ts";

const openPage = useBrowser();

test("settings: configuration, events, rate and secrets of the token; what is wrong is said at its field", async () => {
	const dashboard = await openDashboard({
		database: join(createTempFolder(), "test.db"),
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
	await page.getByRole("switch", { name: /Standard Webhooks/ }).click();
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
		standard_webhooks: true,
		max_per_second: 2.5,
		retry_schedule: null,
		has_api_key: true,
	});
	expect(stored.event_ids).toHaveLength(16);
	expect(await page.content()).not.toContain("their-key");

	await page.goto(`/integrations/${id}`);
	await page.getByRole("button", { name: "Reveal" }).click();
	const revealed = await client.revealIntegrationSecret({
		params: { integration_id: id },
	});
	await expect
		.poll(() => page.locator("[data-secret]").allTextContents())
		.toEqual([revealed.integration_uuid, revealed.standard_webhooks_secret]);
	expect(dashboard.faults).toEqual([]);
});

test("settings that somebody else changes meanwhile: only what the user changed is saved, and what both changed is said", async () => {
	const dashboard = await openDashboard({
		database: join(createTempFolder(), "test.db"),
	});
	onTestFinished(dashboard.close);
	const { client, url, keys } = dashboard;
	const { id } = await client.createIntegration({
		body: { label: "CRM", webhook_url: "http://127.0.0.1:9/hook" },
	});
	const params = { integration_id: id };
	const page = await openPage(url);
	await signIn(page, keys.full);
	await page.goto(`/integrations/${id}/settings`);
	const name = page.getByLabel("Name", { exact: true });
	const rate = page.getByLabel("Deliveries a second, at most");
	await expect.poll(() => name.inputValue()).toBe("CRM");

	// Nothing was typed, so the form shows the new values, and there is nothing to save.
	await client.updateIntegration({ params, body: { label: "CRM 2" } });
	await expect.poll(() => name.inputValue()).toBe("CRM 2");
	expect(await page.getByText("Changes are not saved yet").count()).toBe(0);

	// The user has changed one member. The others show the new values, also those that are not text.
	await rate.fill("3");
	await client.updateIntegration({
		params,
		body: { label: "CRM 3", on_pause: "drop", event_ids: ["lead_created"] },
	});
	await expect.poll(() => name.inputValue()).toBe("CRM 3");
	await expect
		.poll(() =>
			page.getByRole("radio", { name: "Drop new events" }).isChecked(),
		)
		.toBe(true);
	expect(await rate.inputValue()).toBe("3");
	expect(await page.getByText("Somebody else changed").count()).toBe(0);

	// Both changed it: the user's text stays, and the form shows the value that it would replace.
	await client.updateIntegration({ params, body: { max_per_second: 7 } });
	await page.getByText(/Somebody else changed meanwhile: .*“7”/).waitFor();
	expect(await rate.inputValue()).toBe("3");
	const sent = page.waitForRequest((request) => request.method() === "PATCH");
	await page.getByRole("button", { name: "Save" }).click();
	expect((await sent).postDataJSON()).toEqual({ max_per_second: 3 });
	await page.getByText("Saved", { exact: true }).first().waitFor();
	await page
		.getByRole("button", { name: "Save" })
		.waitFor({ state: "detached" });
	expect(await client.getIntegration({ params })).toMatchObject({
		label: "CRM 3",
		on_pause: "drop",
		event_ids: ["lead_created"],
		max_per_second: 3,
	});

	// Discarding shows the stored values.
	await name.fill("Mine");
	await client.updateIntegration({ params, body: { label: "Theirs" } });
	await page.getByText(/Somebody else changed meanwhile: Name/).waitFor();
	await page.getByRole("button", { name: "Discard" }).click();
	expect(await name.inputValue()).toBe("Theirs");
	expect(dashboard.faults).toEqual([]);
});
