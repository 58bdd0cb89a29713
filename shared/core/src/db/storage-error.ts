export type StorageErrorCode =
	| "database_full"
	| "database_io"
	| "database_unconfirmed"
	| "database_unreadable"
	| "database_newer"
	| "database_older"
	| "database_busy"
	| "driver_not_built";

/** An error of the database. The message is one sentence for people and holds no stored value. */
export class StorageError extends Error {
	override readonly name = "StorageError";
	readonly code: StorageErrorCode;

	constructor(code: StorageErrorCode, message: string, cause?: unknown) {
		super(message, { cause });
		this.code = code;
	}
}
