// Files that only their owner may read. None is ever seen half written.
import { randomUUID } from "node:crypto";
import { linkSync, renameSync, rmSync, writeFileSync } from "node:fs";

/** Creates a file. Throws EEXIST if there is one. */
export const createPrivateFile = (path: string, text = ""): void =>
	writeFileSync(path, text, { mode: 0o600, flag: "wx", flush: true });

/** Creates a file unless there is one. */
export function createIfMissing(path: string): void {
	try {
		createPrivateFile(path);
	} catch (error) {
		if (codeOf(error) !== "EEXIST") throw error;
	}
}

/** A name beside a file. Nobody can have placed a file or a link there, because it is random. */
export const toPartialName = (path: string): string =>
	`${path}.${randomUUID()}.partial`;

/** Gives a finished file its name. Throws EEXIST if another has it, which a rename would replace. */
export function giveName(partial: string, path: string): void {
	try {
		linkSync(partial, path);
	} catch (error) {
		if (codeOf(error) === "EEXIST") throw error;
		// Without hard links: the name is taken first, and the rename then replaces only our own file.
		createPrivateFile(path);
		try {
			renameSync(partial, path);
		} catch (fault) {
			rmSync(path, { force: true });
			throw fault;
		}
	}
}

/** Creates a file with all of its text, or none. Throws EEXIST if there is one. */
export function createWholeFile(path: string, text: string): void {
	const partial = toPartialName(path);
	try {
		createPrivateFile(partial, text);
		giveName(partial, path);
	} finally {
		rmSync(partial, { force: true });
	}
}

/** The system's code of an error, such as `ENOSPC`. */
export const codeOf = (error: unknown): unknown =>
	(error as { code?: unknown }).code;

export const isDiskFull = (code: unknown): boolean =>
	/^(ENOSPC|EDQUOT|SQLITE_FULL|SQLITE_IOERR_SHMSIZE)$/.test(String(code));
