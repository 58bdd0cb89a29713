import { StorageError } from "../storage-error.ts";

/**
 * A standby refuses BEGIN READ WRITE here, before any statement could fail with 25006. Its SQLSTATE, 0A000, stands for
 * everything a server does not support, so this routine's name tells it apart.
 */
const READ_WRITE_REFUSED = "call_bool_check_hook";

/**
 * A statement kept by name that a newer version's migration has outdated, or that a pooler has lost. The session would
 * fail at it for ever, so it counts as lost: another session prepares the statement anew.
 */
const isStaleStatement = (code: unknown, routine: unknown): boolean =>
	code === "26000" ||
	code === "42P05" ||
	(code === "0A000" && routine === "RevalidateCachedQuery");

/** The SQLSTATE or the system's code anywhere in a chain of causes, such as `40001` or `ECONNREFUSED`. */
export function postgresCodeOf(error: unknown): string | undefined {
	for (let at = error; at instanceof Error; at = at.cause) {
		const { code, routine } = at as { code?: unknown; routine?: unknown };
		if (code === "0A000" && routine === READ_WRITE_REFUSED) return "25006";
		if (isStaleStatement(code, routine)) return "connection";
		if (typeof code === "string") return code;
		// pg gives these no code.
		if (/^Query read timeout/.test(at.message)) return "timeout";
		if (
			/^Connection terminated|^timeout expired$|not queryable$/.test(at.message)
		)
			return "connection";
		if (/timeout exceeded when trying to connect/.test(at.message))
			return "pool";
	}
	return undefined;
}

/**
 * SQLSTATEs and system codes. 25P03 and 25P04 end the session, 25006 comes from a standby, and ENOENT from a socket's
 * path.
 */
const CONNECTION =
	/^(08|57P0|25P03|25P04|25006|ECONN|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOENT|ENOTFOUND|EAI_AGAIN|connection$)/;

/** Whether the connection is lost or was refused: the server restarts, or cannot be reached. */
export const isConnectionFault = (code: string | undefined): boolean =>
	CONNECTION.test(code ?? "");

/**
 * Whether another transaction was first: serialization, deadlock, or a row inserted or removed between our read and our
 * write. A second try sees the change.
 */
export const isRace = (code: string | undefined): boolean =>
	/^(40001|40P01|23505|23503)$/.test(code ?? "");

const NOTHING_STORED = "Nothing of this request was stored.";

/** Maps errors of the database itself. No message holds a stored value, an address or a password. */
export function toPostgresFault(error: unknown): StorageError | undefined {
	const code = postgresCodeOf(error) ?? "";
	if (code === "53100") {
		return new StorageError(
			"database_full",
			`The database cannot grow: the disk is full. ${NOTHING_STORED}`,
			error,
		);
	}
	if (/^(57014|55P03|53300|pool|timeout)$/.test(code)) {
		return new StorageError(
			"database_busy",
			`The database took too long, or has no connection left (${code}). ${NOTHING_STORED}`,
			error,
		);
	}
	if (isConnectionFault(code) || /^(53|58|XX)/.test(code)) {
		return new StorageError(
			"database_io",
			`The database cannot be reached (${code}). ${NOTHING_STORED}`,
			error,
		);
	}
	return undefined;
}
