import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";
import { launchBrowser } from "./launch-browser.ts";

/** The longest time until an expected state, on a busy machine. */
const PATIENCE_MS = 60_000;

export interface PageOptions {
	readonly colorScheme?: "light" | "dark";
	readonly viewport?: { width: number; height: number };
	/** Another origin that the page may call. */
	readonly mayAsk?: string;
}

/** One browser for a test file. Each page has its own cookies, and must report no error and call no other host. */
export function useBrowser() {
	let browser: Browser;
	beforeAll(async () => {
		browser = await launchBrowser();
	});
	afterAll(() => browser.close());

	return async (
		origin: string,
		{ mayAsk = origin, ...options }: PageOptions = {},
	): Promise<Page> => {
		const context = await browser.newContext({
			baseURL: origin,
			reducedMotion: "reduce",
			viewport: { width: 1280, height: 900 },
			...options,
		});
		context.setDefaultTimeout(PATIENCE_MS);
		const page = await context.newPage();
		const problems = watchPage(page, [origin, mayAsk]);
		onTestFinished(async () => {
			await context.close();
			expect(problems).toEqual([]);
		});
		return page;
	};
}

/**
 * The errors of a page, and its requests to other origins. An answer of 400 or more is no error of the page, nor is one that
 * the browser withholds from it.
 */
function watchPage(page: Page, origins: readonly string[]): string[] {
	const problems: string[] = [];
	page.on("console", (message) => {
		const isAnswer = /^(Failed to load resource|Access to fetch at)/.test(
			message.text(),
		);
		if (message.type() === "error" && !isAnswer) problems.push(message.text());
	});
	page.on("pageerror", (error) => problems.push(String(error)));
	page.on("request", (request) => {
		const { protocol, origin: asked } = new URL(request.url());
		const isInline = protocol === "data:" || protocol === "blob:";
		if (!isInline && !origins.includes(asked))
			problems.push(`asked ${request.url()}`);
	});
	return problems;
}

/** Signs in with an API key, as a person does, and waits for the list. */
export async function signIn(page: Page, key: string): Promise<void> {
	await page.goto("/");
	await page.getByLabel("API key").fill(key);
	await page.getByRole("button", { name: "Sign in" }).click();
	await page.getByRole("heading", { name: "Integrations", level: 1 }).waitFor();
}
