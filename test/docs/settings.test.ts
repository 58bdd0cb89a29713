import { expect, test } from "vitest";
import { toSettingsPage } from "../../scripts/settings-page/to-settings-page.ts";
import { readSource } from "../kit/sources.ts";

test("docs/settings.md is what the table of settings says now", () => {
	expect(
		readSource("docs/settings.md") === toSettingsPage(),
		"docs/settings.md is out of date: run `npm run docs:settings`",
	).toBe(true);
});
