import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { StorageError } from "@partnerwire/core";

/** Creates a folder for a database that is removed at the end. Throws a `StorageError` if the system's folder refuses it. */
export function createTempFolder(prefix: string): string {
	try {
		return mkdtempSync(join(tmpdir(), prefix));
	} catch (error) {
		const { code } = error as NodeJS.ErrnoException;
		throw new StorageError(
			"database_unreadable",
			`No folder can be made in ${tmpdir()} (${code}): set TMPDIR to a folder that can be written to.`,
			error,
		);
	}
}
