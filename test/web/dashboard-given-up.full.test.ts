import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findPartnership } from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";
import { signIn, useBrowser } from "./support/browser.ts";
import { openDashboard } from "./support/open-dashboard.ts";

const openPage = useBrowser();

/** A service that tries once, and a receiver that fails until the test changes it. */
async function openGivenUp() {
	let status = 500;
	const receiver = createServer((request, response) => {
		request.resume();
		request.on("end", () => response.writeHead(status).end());
	});
	receiver.listen(0, "127.0.0.1");
	await once(receiver, "listening");
	onTestFinished(() => {
		receiver.closeAllConnections();
		receiver.close();
	});
	const dashboard = await openDashboard({
		database: join(createTempFolder(), "test.db"),
		retrySchedule: [0],
	});
	onTestFinished(dashboard.close);
	const { client } = dashboard;
	const { port } = receiver.address() as AddressInfo;
	const { id } = await client.createIntegration({
		body: {
			label: "CRM",
			webhook_url: `http://127.0.0.1:${port}/hook`,
			event_ids: ["lead_created"],
		},
	});
	const partnership_uuid = await findPartnership(client);
	for (const company_name of ["Globex", "Initech", "Hooli"])
		await client.createLead({ body: { partnership_uuid, company_name } });
	const health = async () =>
		(await client.getIntegration({ params: { integration_id: id } })).health;
	await expect
		.poll(health)
		.toMatchObject({ pending: 0, given_up: 3, failed_24h: 3 });
	return {
		...dashboard,
		id,
		health,
		repair() {
			status = 200;
		},
	};
}

test("what was given up is reported where one looks, listed where it says, and replayed", async () => {
	const { url, keys, id, repair, health, faults } = await openGivenUp();
	const page = await openPage(url);
	await signIn(page, keys.full);
	await page.getByText("3 given up", { exact: true }).waitFor();
	const banner = page.getByRole("region", { name: "Alerts" });
	await banner.getByText("3 deliveries were given up").waitFor();
	expect(await page.content()).not.toContain("by itself");

	await page.goto(`/integrations/${id}`);
	const main = page.getByRole("main");
	await main.getByText("3 deliveries were given up").waitFor();
	const figures = page.getByRole("region", { name: "Health" });
	expect(await figures.textContent()).toMatch(/Given up\s*3(?!\d)/);
	expect(await main.textContent()).not.toContain("by itself");
	await main.getByRole("link", { name: "See what failed" }).click();
	await page.waitForURL(/\/deliveries\?status=failed$/);
	await page.getByText("3 deliveries", { exact: true }).waitFor();
	expect(await page.getByText("Lead created").count()).toBe(3);

	await page.goto("/deliveries");
	await main
		.getByText(
			"3 deliveries were given up: they are not tried again unless you replay them.",
			{ exact: true },
		)
		.waitFor();
	await main.getByRole("link", { name: "See what failed" }).click();
	await page.getByText("3 deliveries", { exact: true }).waitFor();

	// Replayed from the message, without any choice.
	repair();
	await page.goto(`/integrations/${id}`);
	await main.getByRole("link", { name: "Replay", exact: true }).click();
	await page.getByRole("button", { name: "Count (dry run)" }).click();
	await page.getByRole("button", { name: "Replay 3 deliveries" }).click();
	await page.getByText("Completed", { exact: true }).waitFor();
	await expect.poll(health).toMatchObject({ given_up: 0, pending: 0 });
	await page.goto(`/integrations/${id}`);
	await page.getByText("Healthy").waitFor();
	expect(await page.getByText("were given up").count()).toBe(0);
	expect(faults).toEqual([]);
});

test("an integration that has recovered still tells what it gave up; a session that may only read is offered no replay", async () => {
	const { url, keys, id, repair, client, health } = await openGivenUp();
	repair();
	await client.createLead({
		body: {
			partnership_uuid: await findPartnership(client),
			company_name: "Umbrella",
		},
	});
	await expect.poll(health).toMatchObject({ delivered_24h: 1, given_up: 3 });
	const page = await openPage(url);
	await signIn(page, keys.read);
	for (const path of ["", "/deliveries"]) {
		await page.goto(`/integrations/${id}${path}`);
		await page.getByText("Healthy").waitFor();
		await page.getByText("3 deliveries were given up").waitFor();
		const replay = page.getByRole("link", { name: "Replay", exact: true });
		expect(await replay.count()).toBe(0);
	}
});
