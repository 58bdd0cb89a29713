import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

/** A new folder that is removed after the tests of the file. */
export function createTempFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-test-"));
	folders.push(folder);
	return folder;
}

/** Removes the folders that the test file made. `test/kit/each-file.ts` calls it. */
export function removeTempFolders(): void {
	for (const folder of folders.splice(0))
		rmSync(folder, { recursive: true, force: true });
}
