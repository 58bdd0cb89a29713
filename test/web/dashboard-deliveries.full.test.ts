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

/** An endpoint that answers with the current `status`. */
async function openEndpoint() {
	const answer = { status: 500 };
	const server = createServer((request, response) => {
		request.resume();
		request.on("end", () => response.writeHead(answer.status).end());
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { port } = server.address() as AddressInfo;
	return { answer, url: `http://127.0.0.1:${port}/hook` };
}

test("a delivery that waits is found by its record, skipped so that the next goes, and redelivered", async () => {
	const endpoint = await openEndpoint();
	const dashboard = await openDashboard({
		database: join(createTempFolder(), "test.db"),
		retrySchedule: [0, 3600, 3600],
	});
	onTestFinished(dashboard.close);
	const { client, url, keys } = dashboard;
	await client.createIntegration({
		body: { label: "CRM", webhook_url: endpoint.url },
	});
	const partnership_uuid = await findPartnership(client);
	const { uuid } = await client.createLead({ body: { partnership_uuid } });
	await client.updateLead({ params: { uuid }, body: { source: "fair" } });

	const page = await openPage(url);
	await signIn(page, keys.full);
	await page.goto("/deliveries");
	await page.getByLabel("Record").fill(uuid);
	await page.waitForURL(/record=/);
	const row = (event: string) =>
		page.getByRole("listitem").filter({ hasText: event });
	const drawer = page.getByRole("dialog");
	await row("Lead updated").getByText("earlier event of its record").waitFor();
	await row("Lead updated").getByRole("button").click();
	await drawer.getByRole("button", { name: "Show what it waits for" }).click();
	await drawer.getByRole("heading", { name: "Lead created #1" }).waitFor();
	await drawer.getByText("the endpoint answered 500").first().waitFor();

	// After it is given up, the next one of its lane goes out, and the endpoint accepts it now.
	endpoint.answer.status = 200;
	await drawer.getByRole("button", { name: "Skip…" }).click();
	await page.getByRole("button", { name: "Skip", exact: true }).click();
	await drawer.getByText("Dropped", { exact: true }).waitFor();
	await drawer.getByRole("button", { name: "Redeliver" }).click();
	await drawer.getByText("Delivered", { exact: true }).waitFor();
	await page.keyboard.press("Escape");
	await drawer.waitFor({ state: "detached" });
	await row("Lead created").getByText("Delivered", { exact: true }).waitFor();
	await row("Lead updated").getByText("Delivered", { exact: true }).waitFor();
	expect(dashboard.faults).toEqual([]);
});

test("the log of all integrations is narrowed to one, by its name", async () => {
	const endpoint = await openEndpoint();
	endpoint.answer.status = 200;
	const dashboard = await openDashboard({
		database: join(createTempFolder(), "test.db"),
	});
	onTestFinished(dashboard.close);
	const { client, url, keys } = dashboard;
	for (const label of ["CRM", "Warehouse"])
		await client.createIntegration({
			body: { label, webhook_url: endpoint.url },
		});
	const partnership_uuid = await findPartnership(client);
	await client.createLead({ body: { partnership_uuid } });

	const page = await openPage(url);
	await signIn(page, keys.full);
	await page.goto("/deliveries");
	const rows = page.getByRole("listitem").filter({ hasText: "Lead created" });
	await rows.nth(1).waitFor();
	await page.getByLabel("Integration").click();
	await page.getByPlaceholder("Name or URL").fill("ware");
	await page.getByRole("option", { name: /Warehouse/ }).click();
	await page.waitForURL(/integration=/);
	await expect
		.poll(() => rows.allTextContents())
		.toEqual([expect.stringContaining("Warehouse")]);
	await page.reload();
	await page.getByLabel("Integration").getByText("Warehouse").waitFor();
	await page.getByLabel("Integration").click();
	await page.getByRole("option", { name: "Any integration" }).click();
	await rows.nth(1).waitFor();
	expect(new URL(page.url()).search).toBe("");
	expect(dashboard.faults).toEqual([]);
});

test("a service that does not answer is no sign-out: the page stays, and asks again", async () => {
	const dashboard = await openDashboard({
		database: join(createTempFolder(), "test.db"),
	});
	onTestFinished(dashboard.close);
	const page = await openPage(dashboard.url);
	await signIn(page, dashboard.keys.full);
	let status = 503;
	await page.route("**/_admin/session", (route) =>
		status === 200 ? route.continue() : route.fulfill({ status, body: "" }),
	);
	await page.goto("/audit-log");
	await page.getByRole("alert").getByText("The service failed.").waitFor();
	expect(new URL(page.url()).pathname).toBe("/audit-log");
	status = 200;
	await page.getByRole("button", { name: "Try again" }).click();
	await page.getByRole("heading", { name: "Audit log" }).waitFor();
	// Not being signed in is a different error.
	await page.context().clearCookies();
	await page.goto("/audit-log");
	await page.waitForURL(/sign-in/);
});
