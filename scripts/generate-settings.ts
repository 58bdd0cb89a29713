/**
 * Writes docs/settings.md from the command line's table of settings.
 * Usage: npm run docs:settings
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { toSettingsPage } from "./settings-page/to-settings-page.ts";

writeFileSync(
	join(import.meta.dirname, "../docs/settings.md"),
	toSettingsPage(),
);
