import { once } from "node:events";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSetUpLink } from "partnerwire";
import type { Page } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { EXPIRED_CERTIFICATE, KEY } from "../kit/endpoints/certificates.ts";
import { createTempFolder } from "../kit/temp-folder.ts";
import { signIn, useBrowser } from "./support/browser.ts";
import { openDashboard, openEmptyDashboard } from "./support/open-dashboard.ts";

const openPage = useBrowser();

/** A service for one test. */
async function open(
	options: Partial<Parameters<typeof openDashboard>[0]> = {},
) {
	const database = join(createTempFolder(), "test.db");
	const dashboard = await openDashboard({ database, ...options });
	onTestFinished(async () => {
		await dashboard.close();
		expect(dashboard.faults).toEqual([]);
	});
	return dashboard;
}

test("a set-up link names company and person, signs in, and stays in no address", async () => {
	const setUpLink = createSetUpLink(Date.now);
	const database = join(createTempFolder(), "test.db");
	const { url, close } = await openEmptyDashboard({ database, setUpLink });
	onTestFinished(close);
	const page = await openPage(url);
	await page.goto(setUpLink.toUrl(""));
	await page.getByRole("heading", { name: "Set up Partnerwire" }).waitFor();
	expect(page.url()).not.toContain("link=");
	for (const [label, value] of [
		["Company", "Fernhill"],
		["Your e-mail address", "ada@fernhill.example"],
		["First name", "Ada"],
		["Last name", "Lovelace"],
	] as const)
		await page.getByLabel(label).fill(value);
	await page.getByRole("button", { name: "Set up and sign in" }).click();
	await page.getByRole("dialog").getByLabel("Name").waitFor();
	await page.getByText("Fernhill").first().waitFor();
});

test("a key is shown once; revoking it ends its sessions; signing in again leads back", async () => {
	const { url, keys } = await open();
	const page = await openPage(url);
	await signIn(page, keys.full);
	await page.getByRole("link", { name: "API keys" }).click();
	await page.getByRole("button", { name: "New key" }).click();
	await page.getByLabel("Name").fill("Laptop");
	await page.getByRole("checkbox", { name: "Write" }).click();
	await page.getByRole("button", { name: "Create" }).click();
	const shown = page.getByLabel("API key", { exact: true });
	const key = (await shown.textContent()) ?? "";
	expect(key).toMatch(/^pwk_/);
	await page.getByRole("button", { name: "I have copied it" }).click();
	await page.getByRole("dialog").waitFor({ state: "detached" });
	expect(await page.content()).not.toContain(key);

	const other = await openPage(url);
	await signIn(other, key);
	await page.getByRole("button", { name: "Revoke Laptop" }).click();
	await page
		.getByRole("dialog")
		.getByRole("button", { name: "Revoke" })
		.click();
	await page.getByRole("dialog").waitFor({ state: "detached" });
	await other.getByRole("link", { name: "Audit log" }).click();
	await other.getByLabel("API key").fill(key);
	await other.getByRole("button", { name: "Sign in" }).click();
	await other.getByText("No such key.").waitFor();
	await other.getByLabel("API key").fill(keys.read);
	await other.getByRole("button", { name: "Sign in" }).click();
	await other.getByRole("heading", { name: "Audit log" }).waitFor();
});

/** Types this URL, leaves the field, and waits for the message below it. */
async function expectUrlNote(page: Page, url: string, note: RegExp) {
	await page.getByLabel("Webhook URL").fill(url);
	await page.getByLabel("Webhook URL").blur();
	await page.getByText(note).first().waitFor();
}

test("where a URL leads is explained at its field", async () => {
	const { url, keys } = await open({ allowHttp: false, allowPrivate: false });
	const page = await openPage(url);
	await signIn(page, keys.full);
	await page.goto("/integrations/new");
	await expectUrlNote(page, "http://example.com/hook", /^Use https/);
	await expectUrlNote(page, "https://10.0.0.1/hook", /This leads to a private/);
	await expectUrlNote(
		page,
		"https://localhost/hook",
		/only in a local network/,
	);
	await expectUrlNote(
		page,
		"https://nobody.invalid/hook",
		/could not be resolved|does not resolve/,
	);
});

test("a certificate that has expired is explained at the field", async () => {
	const server = createServer({ key: KEY, cert: EXPIRED_CERTIFICATE });
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	const { url, keys } = await open({ ca: EXPIRED_CERTIFICATE });
	const page = await openPage(url);
	await signIn(page, keys.full);
	await page.goto("/integrations/new");
	const { port } = server.address() as AddressInfo;
	await expectUrlNote(
		page,
		`https://127.0.0.1:${port}/`,
		/certificate expired on/,
	);
});
