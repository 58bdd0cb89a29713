import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import {
	openVerifiedReceiver,
	type VerifiedReceiver,
} from "../kit/endpoints/verified-receiver.ts";
import {
	type DemoService,
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";
import { signIn, useBrowser } from "./support/browser.ts";
import { toLocalInput } from "./support/local-input.ts";

const openPage = useBrowser();

/** Creates an integration in the dashboard, with its receiver. */
async function createIntegration(
	page: Page,
	receiver: VerifiedReceiver,
): Promise<{ id: string; secret: string }> {
	await page.getByRole("link", { name: "New integration" }).click();
	await page.getByLabel("Name").fill("CRM");
	await page.getByLabel("Webhook URL").fill(receiver.url);
	await page.getByRole("button", { name: "Create" }).click();
	await page
		.getByRole("heading", { name: "The integration is ready" })
		.waitFor();
	const secret =
		(await page.getByLabel("PARTNERWIRE_WEBHOOK_SECRET").textContent()) ?? "";
	receiver.useSecret(secret);
	await page.getByRole("link", { name: "Send a test" }).click();
	await page.waitForURL(/\/integrations\/[\w-]{36}\/test$/);
	return { id: new URL(page.url()).pathname.split("/")[2] ?? "", secret };
}

/** Creates and changes a lead: two events of one record. */
async function createLead({ client }: DemoService, name: string) {
	const lead = await client.createLead({
		body: {
			partnership_uuid: await findPartnership(client),
			company_name: name,
		},
	});
	await client.updateLead({
		params: { uuid: lead.uuid },
		body: { company_name: `${name} Ltd` },
	});
	return lead.uuid;
}

const openTab = (page: Page, name: string) =>
	page
		.getByRole("navigation", { name: "Parts of the integration" })
		.getByRole("link", { name, exact: true })
		.click();

/** Expects this number of deliveries in this state in the open log. */
const untilStates = (page: Page, state: string, count: number) =>
	expect
		.poll(() =>
			page.getByRole("listitem").getByText(state, { exact: true }).count(),
		)
		.toBe(count);

test("an admin signs in, creates, tests, pauses, resumes, replays and rotates", async () => {
	const service = await startDemoService(createTempFolder());
	const receiver = await openVerifiedReceiver();
	const page = await openPage(service.url);
	await signIn(page, service.keys.full);
	await page.getByRole("heading", { name: "No integration yet" }).waitFor();

	// A test webhook shows the whole attempt.
	const { id, secret } = await createIntegration(page, receiver);
	await page.getByLabel("Payload").waitFor();
	await expect
		.poll(() => page.getByLabel("Payload").inputValue())
		.toContain("{");
	await page.getByRole("button", { name: "Send", exact: true }).click();
	await page.getByText("Acknowledged: the endpoint answered 200").waitFor();
	await receiver.count(1);
	const claims = await page
		.getByLabel("Claims of the token, secrets masked")
		.textContent();
	expect(JSON.parse(claims ?? "")).toMatchObject({
		event_id: expect.any(String),
	});
	expect(await page.content()).not.toContain(secret);

	// Paused: events are held, and shown when they arrive.
	await page.getByRole("button", { name: "Pause" }).click();
	await page.getByLabel("Reason").fill("CRM upgrade");
	await page.getByRole("dialog").getByRole("button", { name: "Pause" }).click();
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await openTab(page, "Deliveries");
	const leads = [
		await createLead(service, "Globex"),
		await createLead(service, "Initech"),
	];
	await untilStates(page, "Held", 4);
	await page.getByRole("listitem").getByRole("button").first().click();
	await page.getByRole("dialog").getByText(/pause/i).first().waitFor();
	await page.keyboard.press("Escape");
	await page.getByRole("dialog").waitFor({ state: "detached" });

	// Resumed: the preview lists the deliveries, and they go out in order.
	await page.getByRole("button", { name: "Resume" }).click();
	await page.getByRole("dialog").getByText("4 held deliveries").waitFor();
	await page
		.getByRole("dialog")
		.getByRole("button", { name: "Resume" })
		.click();
	await receiver.count(5);
	await untilStates(page, "Delivered", 4);
	for (const lead of leads)
		expect(
			receiver.handled
				.filter(({ uuid }) => uuid === lead)
				.map((one) => one.eventId),
		).toEqual(["lead_created", "lead_updated"]);

	// Replayed: a dry run counts them, and the receiver recognises the copies.
	await page.goto(`/replays/new?integration=${id}`);
	await page.getByRole("checkbox", { name: "Failed" }).click();
	await page.getByRole("checkbox", { name: "Delivered" }).click();
	await page.getByRole("button", { name: "Count (dry run)" }).click();
	await page.getByText("4 deliveries match").waitFor();
	await page.getByRole("button", { name: "Replay 4 deliveries" }).click();
	await page.getByText("Completed", { exact: true }).waitFor();
	await receiver.count(9);
	expect(
		receiver.handled.filter(({ sequence }) => sequence !== undefined).length,
	).toBe(4);

	// Rotated with a cutover, while the receiver has both secrets.
	await page.goto(`/integrations/${id}`);
	await page.getByRole("button", { name: "Rotate" }).click();
	await page.getByRole("radio", { name: "At a time" }).click();
	await page.getByLabel("Cutover").fill(toLocalInput(soon()));
	await page.getByRole("button", { name: "Plan the rotation" }).click();
	const shown = page.locator("[data-secret]");
	await expect
		.poll(async () =>
			(await shown.allInnerTexts()).some((one) => one !== secret),
		)
		.toBe(true);
	const next = (await shown.allInnerTexts()).filter((one) => one !== secret);
	receiver.useSecret([secret, ...next]);
	await createLead(service, "Hooli");
	await receiver.count(11);
	const read = () =>
		service.client.getIntegration({ params: { integration_id: id } });
	await expect.poll(async () => (await read()).secret_cutover_at).toBe(null);
	await createLead(service, "Umbrella");
	await receiver.count(13);
	expect(receiver.arrived.every(({ status }) => status === 200)).toBe(true);

	await page.getByRole("button", { name: "Your session" }).click();
	await page.getByRole("menuitem", { name: "Sign out" }).click();
	await page.getByRole("heading", { name: "Sign in to Partnerwire" }).waitFor();
	await page.goto(`/integrations/${id}`);
	await page.getByLabel("API key").waitFor();
});

/** A time in a few seconds. Never a full minute, because a browser would leave the seconds out. */
function soon(): number {
	const at = Date.now() + 20_000;
	return at % 60_000 < 1000 ? at + 1000 : at;
}
