/**
 * Writes a picture of each page of the dashboard to docs/img/, from a service with invented data (showcase.ts).
 * Usage: npm run screenshots [-- --all | PART-OF-A-NAME] (after npm run build; needs chromium). The repository has all pages in light,
 * and some in dark and at 390 px. --all writes all of them, for a look.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../test/web/support/launch-browser.ts";
import { openShowcase, type Showcase } from "./showcase.ts";

const [wanted = ""] = process.argv.slice(2);
const TARGET = join(import.meta.dirname, "../docs/img");

interface Shot {
	readonly name: string;
	readonly path: string;
	/** A text that is there when the page has loaded. */
	readonly ready: string;
	/** Actions before the picture is taken. */
	act?(page: Page): Promise<unknown>;
}

const shotsOf = ({ ids }: Showcase): Shot[] => [
	{ name: "integrations", path: "/integrations", ready: "Salesforce" },
	{
		name: "integration",
		path: `/integrations/${ids.healthy}`,
		ready: "Signing secret",
	},
	{
		name: "failing",
		path: `/integrations/${ids.failing}`,
		ready: "Signing secret",
	},
	{
		name: "settings",
		path: `/integrations/${ids.healthy}/settings`,
		ready: "Name and endpoint",
	},
	{
		name: "test-webhook",
		path: `/integrations/${ids.healthy}/test`,
		ready: "Test webhook",
		async act(page) {
			await page.getByRole("button", { name: "Send", exact: true }).click();
			await page.getByText("Acknowledged").waitFor();
			await page.evaluate("scrollTo(0, 0)");
		},
	},
	{
		name: "receiver-code",
		path: `/integrations/${ids.healthy}/receiver`,
		ready: "receiver.ts",
	},
	{ name: "deliveries", path: "/deliveries", ready: "Delivered" },
	{
		name: "delivery",
		path: `/deliveries?delivery=${ids.delivery}`,
		ready: "Claims of the token",
	},
	{
		name: "resume",
		path: `/integrations/${ids.paused}`,
		ready: "Signing secret",
		async act(page) {
			await page.getByRole("button", { name: "Resume" }).first().click();
			await page
				.getByRole("dialog")
				.getByText("will go out in order")
				.waitFor();
		},
	},
	{
		name: "replay",
		path: `/replays/new?integration=${ids.failing}`,
		ready: "What to replay",
	},
	{ name: "replays", path: "/replays", ready: "Completed" },
	{ name: "api-keys", path: "/api-keys", ready: "New key" },
	{ name: "audit-log", path: "/audit-log", ready: "created" },
];

const LOOKS = [
	{ suffix: "", colorScheme: "light", viewport: { width: 1280, height: 860 } },
	{
		suffix: "-dark",
		colorScheme: "dark",
		viewport: { width: 1280, height: 860 },
	},
	{
		suffix: "-390",
		colorScheme: "light",
		viewport: { width: 390, height: 844 },
	},
] as const;

/** Pages that are also in the repository in dark and at 390 px. */
const HEADLINES = ["integrations", "integration", "delivery"];

const isWanted = (name: string, suffix: string): boolean => {
	if (wanted === "--all") return true;
	if (wanted !== "") return `${name}${suffix}`.includes(wanted);
	return suffix === "" || HEADLINES.includes(name);
};

async function takeAll(browser: Browser, showcase: Showcase): Promise<void> {
	for (const { suffix, ...look } of LOOKS) {
		const context = await browser.newContext({
			baseURL: showcase.url,
			reducedMotion: "reduce",
			...look,
		});
		const page = await context.newPage();
		const take = (name: string) =>
			page.screenshot({ path: join(TARGET, `${name}${suffix}.png`) });
		await page.goto("/");
		await page.getByLabel("API key").waitFor();
		if (isWanted("sign-in", suffix)) await take("sign-in");
		await page.getByLabel("API key").fill(showcase.key);
		await page.getByRole("button", { name: "Sign in" }).click();
		await page.getByText("Salesforce").first().waitFor();
		for (const { name, path, ready, act } of shotsOf(showcase)) {
			if (!isWanted(name, suffix)) continue;
			await page.goto(path);
			await page.getByText(ready).first().waitFor();
			await act?.(page);
			await page.evaluate("document.fonts.ready");
			await take(name);
		}
		await context.close();
	}
}

mkdirSync(TARGET, { recursive: true });
const folder = mkdtempSync(join(tmpdir(), "partnerwire-showcase-"));
const showcase = await openShowcase(join(folder, "showcase.db"));
const browser = await launchBrowser();
try {
	await takeAll(browser, showcase);
} finally {
	await browser.close();
	await showcase.close();
	rmSync(folder, { recursive: true, force: true });
}
