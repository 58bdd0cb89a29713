import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { findSeriousFaults } from "./support/axe.ts";
import { signIn, useBrowser } from "./support/browser.ts";
import {
	type FilledService,
	openFilledService,
} from "./support/filled-service.ts";

const openPage = useBrowser();
let service: FilledService;
beforeAll(async () => {
	service = await openFilledService();
	return service.close;
});

/** Every page, with a text that is there when it has loaded. */
const PAGES: readonly (readonly [
	name: string,
	path: (ids: FilledService["ids"]) => string,
	ready: (page: Page) => Promise<void>,
])[] = [
	["integrations", () => "/integrations", seen("Failing CRM")],
	[
		"nothing found",
		() => "/integrations?search=zzzz",
		seen("No integration matches"),
	],
	["new integration", () => "/integrations/new", seen("New integration")],
	[
		"integration",
		({ failing }) => `/integrations/${failing}`,
		seen("Signing secret"),
	],
	[
		"its deliveries",
		({ failing }) => `/integrations/${failing}/deliveries`,
		seen("Lead created"),
	],
	[
		"test",
		({ failing }) => `/integrations/${failing}/test`,
		seen("Test webhook"),
	],
	[
		"receiver code",
		({ failing }) => `/integrations/${failing}/receiver`,
		seen("receiver.ts"),
	],
	[
		"settings",
		({ failing }) => `/integrations/${failing}/settings`,
		seen("Name and endpoint"),
	],
	["deliveries", () => "/deliveries", seen("Lead created")],
	[
		"a delivery",
		({ delivery }) => `/deliveries?delivery=${delivery}`,
		seen("Claims of the token, secrets masked"),
	],
	["replays", () => "/replays", seen("Nothing was replayed yet")],
	[
		"new replay",
		({ failing }) => `/replays/new?integration=${failing}`,
		seen("What to replay"),
	],
	["API keys", () => "/api-keys", seen("New key")],
	["audit log", () => "/audit-log", seen("created")],
	["nowhere", () => "/no/such/page", seen("There is no such page")],
];

/** Dialogs. Only a session that may write can open them. */
const DIALOGS: typeof PAGES = [
	["pause", ({ failing }) => `/integrations/${failing}`, opened("Pause")],
	["resume", ({ paused }) => `/integrations/${paused}`, opened("Resume")],
	[
		"planned rotation",
		({ paused }) => `/integrations/${paused}`,
		seen("A new secret signs"),
	],
	["replace", ({ paused }) => `/integrations/${paused}`, opened("Rotate")],
	[
		"cancel rotation",
		({ paused }) => `/integrations/${paused}`,
		opened("Cancel the rotation"),
	],
	["rotate", ({ failing }) => `/integrations/${failing}`, opened("Rotate")],
	["new key", () => "/api-keys", opened("New key")],
	["revoke", () => "/api-keys", opened(/^Revoke/)],
	[
		"delete",
		({ failing }) => `/integrations/${failing}/settings`,
		opened(/^Delete/),
	],
];
const TEST_SENT: (typeof PAGES)[number] = [
	"test sent",
	({ failing }) => `/integrations/${failing}/test`,
	async (page) => {
		await page.getByRole("button", { name: "Send", exact: true }).click();
		await page.getByText("What happened").waitFor();
	},
];

function seen(text: string) {
	return (page: Page) => page.getByText(text).first().waitFor();
}

function opened(button: string | RegExp) {
	return async (page: Page) => {
		await page.getByRole("button", { name: button }).first().click();
		await page.getByRole("dialog").getByRole("heading").waitFor();
	};
}

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
	test("axe-core finds no serious fault on any page", async () => {
		const page = await openPage(service.url, { colorScheme });
		await page.goto("/");
		await page.getByLabel("API key").waitFor();
		const faults = await findSeriousFaults(page);
		await signIn(page, service.keys.full);
		for (const [name, path, ready] of [...PAGES, ...DIALOGS]) {
			await page.goto(path(service.ids));
			await ready(page);
			for (const fault of await findSeriousFaults(page))
				faults.push(`${name}: ${fault}`);
		}
		expect(faults).toEqual([]);
	});
});

test("at 390 px nothing is wider than the screen", async () => {
	const page = await openPage(service.url, {
		viewport: { width: 390, height: 844 },
	});
	await signIn(page, service.keys.full);
	const wide: string[] = [];
	for (const [name, path, ready] of [...PAGES, ...DIALOGS, TEST_SENT]) {
		await page.goto(path(service.ids));
		await ready(page);
		const width = await page.evaluate("document.documentElement.scrollWidth");
		if (width !== 390) wide.push(`${name}: ${width}`);
	}
	expect(wide).toEqual([]);
});

test("a page whose part an upgrade removed is loaded anew", async () => {
	const page = await openPage(service.url);
	await signIn(page, service.keys.full);
	let isUpgraded = false;
	// Any part of the older dashboard is gone until the browser has loaded a document again.
	await page.route("**/assets/*.js", (route) =>
		isUpgraded ? route.fulfill({ status: 404 }) : route.continue(),
	);
	page.on("request", (request) => {
		if (request.isNavigationRequest()) isUpgraded = false;
	});
	isUpgraded = true;
	await page.getByRole("link", { name: "Audit log" }).click();
	await page.getByRole("heading", { name: "Audit log", level: 1 }).waitFor();
});

test("hostile, long and right-to-left labels are text, and stay in their place", async () => {
	const page = await openPage(service.url);
	await signIn(page, service.keys.full);
	await page.getByLabel("Search integrations").fill("<img");
	await page.getByText("<img src=x onerror=alert(1)>").waitFor();
	expect(await page.locator("img").count()).toBe(0);
	for (const label of service.labels) {
		const { id } = await service.create(label);
		await page.goto(`/integrations/${id}`);
		const heading = page.getByRole("heading", { level: 1 });
		await expect.poll(() => heading.textContent()).toBe(label);
		expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(
			1280,
		);
	}
});

test("a read-only session sees no secret and no button that writes", async () => {
	const page = await openPage(service.url);
	await signIn(page, service.keys.read);
	const writes =
		/^(new|create|pause|resume|send|save|rotate|reveal|revoke|redeliver|skip|replay|delete|check now|cancel|set|replace)\b/i;
	const found: string[] = [];
	for (const [name, path] of PAGES) {
		await page.goto(path(service.ids));
		await page.getByRole("heading").first().waitFor();
		await expect.poll(() => page.getByLabel("Loading").count()).toBe(0);
		for (const role of ["button", "link"] as const)
			for (const text of await page
				.getByRole("main")
				.getByRole(role)
				.allInnerTexts())
				if (writes.test(text.trim())) found.push(`${name}: ${text}`);
	}
	expect(found).toEqual([]);
});

test("a URL that is refused is explained at its field", async () => {
	const page = await openPage(service.url);
	await signIn(page, service.keys.full);
	await page.goto("/integrations/new");
	await page.getByLabel("Name").fill("CRM");
	for (const [url, sentence] of [
		["not a url", "Give the whole address"],
		["ftp://example.com/hook", "Begin with https://"],
		["https://user:pass@example.com/", "Leave out the user name and password"],
		["https://example.com/#part", "Leave out what follows the #"],
	] as const) {
		await page.getByLabel("Webhook URL").fill(url);
		await page.getByRole("button", { name: "Create" }).click();
		await page.getByText(sentence).waitFor();
	}
});

test("the keyboard alone signs in, opens a delivery and comes back", async () => {
	const page = await openPage(service.url);
	await page.goto("/");
	await page.getByLabel("API key").waitFor();
	await page.keyboard.type(service.keys.full);
	await page.keyboard.press("Enter");
	await page.getByRole("heading", { name: "Integrations", level: 1 }).waitFor();
	await page.goto("/deliveries");
	const first = page.getByRole("listitem").getByRole("button").first();
	await first.focus();
	await page.keyboard.press("Enter");
	await page
		.getByRole("dialog")
		.getByRole("heading", { name: "Attempts" })
		.waitFor();
	expect(
		await page.getByRole("dialog").locator(":focus").count(),
	).toBeGreaterThan(0);
	await page.keyboard.press("Escape");
	await page.getByRole("dialog").waitFor({ state: "detached" });
	expect(new URL(page.url()).search).toBe("");
});

test("10,000 integrations are searched and paged", async () => {
	await service.createMany(10_000);
	const page = await openPage(service.url);
	await signIn(page, service.keys.full);
	await page.getByText(/of 10,0\d\d/).waitFor();
	await page.getByRole("button", { name: "Next" }).click();
	await page.getByText(/^26 to 50 of/).waitFor();
	await page.getByLabel("Search integrations").fill("Partner system 7777");
	const found = page.getByRole("link", { name: /^Partner system/ });
	await expect
		.poll(() => found.allInnerTexts())
		.toEqual(["Partner system 7777"]);
});
