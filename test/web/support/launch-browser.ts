import { execFileSync } from "node:child_process";
import { type Browser, chromium } from "playwright-core";

const FLAGS = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-background-networking",
];

/** The system's Chromium. */
export const launchBrowser = (): Promise<Browser> =>
	chromium.launch({
		executablePath: execFileSync("sh", ["-c", "command -v chromium"], {
			encoding: "utf8",
		}).trim(),
		args: FLAGS,
	});
