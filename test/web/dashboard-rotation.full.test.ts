import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTempFolder } from "../kit/temp-folder.ts";
import { signIn, useBrowser } from "./support/browser.ts";
import { toLocalInput } from "./support/local-input.ts";
import { openDashboard } from "./support/open-dashboard.ts";

const openPage = useBrowser();
const HOUR_MS = 3_600_000;

/** The page of an integration, and its secrets as the service stores them. */
async function openIntegration() {
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
	await page.goto(`/integrations/${id}`);
	const params = { integration_id: id };
	const dialog = page.getByRole("dialog");
	const closed = () => dialog.waitFor({ state: "detached" });
	return {
		page,
		dialog,
		closed,
		client,
		params,
		read: () => client.revealIntegrationSecret({ params }),
		/** Opens the dialog and enters the time. */
		choose: async (when: string) => {
			await page.getByRole("button", { name: "Rotate", exact: true }).click();
			await dialog.getByRole("radio", { name: when }).click();
		},
	};
}

test("a past time is refused in the dialog with a sentence, and nothing is rotated", async () => {
	const { page, dialog, choose, read } = await openIntegration();
	const before = await read();
	await choose("At a time");
	await page.getByLabel("Cutover").fill(toLocalInput(Date.now() - HOUR_MS));
	await dialog.getByText("This time is past").waitFor();
	const plan = dialog.getByRole("button", { name: "Plan the rotation" });
	expect(await plan.isDisabled()).toBe(true);
	await page.getByLabel("Cutover").press("Enter");
	await page.getByLabel("Cutover").fill(toLocalInput(Date.now() + HOUR_MS));
	await expect.poll(() => plan.isDisabled()).toBe(false);
	expect(await read()).toEqual(before);
});

test("taking over at once is asked twice", async () => {
	const { dialog, closed, choose, read } = await openIntegration();
	const before = await read();
	await choose("Now");
	const rotate = dialog.getByRole("button", { name: "Rotate now" });
	expect(await rotate.isDisabled()).toBe(true);
	await dialog.getByRole("checkbox").click();
	// The confirmation was only for this choice.
	await dialog.getByRole("radio", { name: "In a day" }).click();
	await dialog.getByRole("radio", { name: "Now" }).click();
	expect(await rotate.isDisabled()).toBe(true);
	expect(await read()).toEqual(before);
	await dialog.getByRole("checkbox").click();
	await rotate.click();
	await closed();
	const after = await read();
	expect(after.integration_uuid).not.toBe(before.integration_uuid);
	expect(after.cutover_at).toBeNull();
});

test("a planned rotation is shown, replaced only when that was said, and cancelled", async () => {
	const { page, dialog, closed, choose, read } = await openIntegration();
	const { integration_uuid } = await read();
	await choose("In an hour");
	await dialog.getByRole("button", { name: "Plan the rotation" }).click();
	await closed();
	await page.getByText("A new secret signs").waitFor();
	const planned = await read();
	expect(planned.integration_uuid).toBe(integration_uuid);

	await choose("In a day");
	await dialog
		.getByRole("heading", { name: "Replace the planned rotation?" })
		.waitFor();
	await dialog.getByText("is given up").waitFor();
	await dialog.getByRole("button", { name: "Plan the rotation" }).click();
	await closed();
	const replaced = await read();
	expect(replaced.integration_uuid).toBe(integration_uuid);
	expect(replaced.next_integration_uuid).not.toBe(
		planned.next_integration_uuid,
	);

	await page.getByRole("button", { name: "Cancel the rotation" }).click();
	await dialog.getByRole("button", { name: "Back" }).click();
	await closed();
	expect(await read()).toEqual(replaced);
	await page.getByRole("button", { name: "Cancel the rotation" }).click();
	await dialog.getByRole("button", { name: "Cancel the rotation" }).click();
	await closed();
	await page.getByText("A new secret signs").waitFor({ state: "detached" });
	expect(await read()).toMatchObject({
		integration_uuid,
		next_integration_uuid: null,
		cutover_at: null,
	});
	// The cancelled secret is not shown any more either.
	expect(await page.content()).not.toContain(
		replaced.next_integration_uuid as string,
	);
});

test("a rotation that somebody else plans meanwhile is not replaced by one who has not seen it", async () => {
	const { page, dialog, choose, read, client, params } =
		await openIntegration();
	await choose("In a day");
	const cutover_at = new Date(Date.now() + HOUR_MS).toISOString();
	await client.rotateIntegrationSecret({ params, body: { cutover_at } });
	const before = await read();
	// The page behind the dialog is already up to date.
	await page.getByText("A new secret signs").waitFor();
	await dialog.getByRole("button", { name: "Plan the rotation" }).click();
	await dialog.getByText(/a rotation is planned for/).waitFor();
	expect(await read()).toEqual(before);
});
