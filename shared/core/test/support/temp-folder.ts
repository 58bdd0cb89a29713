import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

const folders: string[] = [];
let isRegistered = false;

/** A new folder that is removed when the tests of the file are over. */
export function createTempFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-test-"));
	folders.push(folder);
	return folder;
}

/** Call once at the top of a test file (or of a helper that one imports). */
export function removeTempFoldersAtEnd(): void {
	if (isRegistered) return;
	isRegistered = true;
	afterAll(() => {
		for (const folder of folders.splice(0))
			rmSync(folder, { recursive: true, force: true });
	});
}
