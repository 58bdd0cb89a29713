import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";

/** A folder that is removed when the test ends. */
export function openTempFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-test-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}
