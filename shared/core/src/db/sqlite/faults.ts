import { StorageError } from "../storage-error.ts";

/** The SQLite error code anywhere in a chain of causes, such as `SQLITE_FULL`. */
export function sqliteCodeOf(error: unknown): string | undefined {
	for (let at = error; at instanceof Error; at = at.cause) {
		const code = (at as { code?: unknown }).code;
		if (typeof code === "string" && code.startsWith("SQLITE_")) return code;
	}
	return undefined;
}

export const isBusy = (error: unknown): boolean =>
	sqliteCodeOf(error)?.startsWith("SQLITE_BUSY") ?? false;

/** Maps the errors after which nothing of the transaction can be assumed to be stored. */
export function toStorageError(error: unknown): StorageError | undefined {
	const code = sqliteCodeOf(error) ?? "";
	if (code === "SQLITE_FULL") {
		return new StorageError(
			"database_full",
			"The database cannot grow: the disk is full. Nothing of this request was stored.",
			error,
		);
	}
	if (/^SQLITE_(IOERR|CORRUPT|NOMEM|NOTADB|CANTOPEN|READONLY)/.test(code)) {
		return new StorageError(
			"database_io",
			`The database cannot be read or written (${code}). Nothing of this request was stored.`,
			error,
		);
	}
	return undefined;
}
