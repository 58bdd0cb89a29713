import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isPostgresUrl } from "../db/postgres/url.ts";
import {
	checkDatabasePath,
	checkFormat,
	isNewDatabase,
} from "../db/sqlite/check-path.ts";
import { requireSqliteDriver } from "../db/sqlite/driver.ts";
import {
	codeOf,
	createWholeFile,
	isDiskFull,
} from "../db/sqlite/private-file.ts";
import { StorageError } from "../db/storage-error.ts";
import { createCipher } from "./cipher.ts";
import { SecretKeyError } from "./secret-key-error.ts";

const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** Parses a key of 32 bytes, given as 64 hex digits or as base64. Throws a `SecretKeyError`. */
export function parseSecretKey(text: string, origin: string): Buffer {
	const trimmed = text.trim();
	if (HEX.test(trimmed)) return Buffer.from(trimmed, "hex");
	if (BASE64.test(trimmed)) return Buffer.from(trimmed, "base64");
	throw new SecretKeyError(
		`${origin} must be 32 bytes as 64 hex digits or as base64.`,
	);
}

/**
 * Finds the key of a database: the given one, or the file with mode 0600 beside a SQLite database. The file is created
 * for a new database. A database whose key file is missing is refused, because a new key could not decrypt it. A
 * PostgreSQL database has no safe place for a key file (docs/decisions.md#encryption-key).
 */
export function loadSecretKey(
	databasePath: string,
	keyText: string | undefined,
): Buffer {
	if (keyText !== undefined)
		return parseSecretKey(keyText, "PARTNERWIRE_SECRET_KEY");
	if (isPostgresUrl(databasePath)) {
		throw new SecretKeyError(
			"A PostgreSQL database needs PARTNERWIRE_SECRET_KEY: 32 bytes as 64 hex digits or as base64, the same for every process.",
		);
	}
	checkDatabasePath(databasePath);
	const path = `${databasePath}.key`;
	try {
		if (existsSync(path))
			return parseSecretKey(readFileSync(path, "utf8"), path);
		if (isNewDatabase(databasePath)) {
			// Checked first, so that a database that cannot be created leaves no key.
			requireSqliteDriver();
			return createKeyFile(path);
		}
		checkFormat(databasePath);
	} catch (error) {
		if (error instanceof SecretKeyError || error instanceof StorageError)
			throw error;
		throw new SecretKeyError(
			`The key file ${path} cannot be used (${codeOf(error)}).`,
			{ cause: error },
		);
	}
	throw new SecretKeyError(
		`The key file ${path} of the database is missing; put it back, or set PARTNERWIRE_SECRET_KEY.`,
	);
}

function createKeyFile(path: string): Buffer {
	const key = randomBytes(32);
	writeKeyFile(path, key);
	return key;
}

/** Writes a new key file, which only its owner may read. */
export function writeKeyFile(path: string, key: Buffer): void {
	try {
		createWholeFile(path, `${key.toString("hex")}\n`);
	} catch (error) {
		const code = codeOf(error);
		throw new SecretKeyError(
			isDiskFull(code)
				? `The disk is full, so the key file ${path} cannot be created.`
				: `The key file ${path} cannot be created (${code}): the database needs a folder that can be written to.`,
			{ cause: error },
		);
	}
}

/** A new key that will replace the one in the file beside the database. */
export interface NextKeyFile {
	readonly key: Buffer;
	/**
	 * Replaces the old key file, once the database is written under the new key. The old one is kept as `<file>.<key
	 * id>`.
	 */
	adopt(): void;
}

/**
 * Creates the file of the next key, or takes the one that an interrupted rekeying left. So the key that the database is
 * written with is always in a file.
 */
export function prepareNextKeyFile(databasePath: string): NextKeyFile {
	const path = `${databasePath}.key`;
	const next = `${path}.next`;
	return {
		key: existsSync(next)
			? parseSecretKey(readFileSync(next, "utf8"), next)
			: createKeyFile(next),
		adopt() {
			keepOldKey(path);
			renameSync(next, path);
		},
	};
}

/** Older backups need the old key. */
function keepOldKey(path: string): void {
	const text = readFileSync(path, "utf8");
	const { keyId } = createCipher(parseSecretKey(text, path));
	const kept = `${path}.${keyId}`;
	if (existsSync(kept) && readFileSync(kept, "utf8") === text) return;
	writeFileSync(kept, text, { mode: 0o600, flush: true });
}

/** Whether an interrupted rekeying left the file of its key. */
export const hasNextKeyFile = (databasePath: string): boolean =>
	existsSync(`${databasePath}.key.next`);

/** Adds to the error of a wrong key where the right one is, if that is known. */
export function addKeyFileHint(error: unknown, databasePath: string): unknown {
	if (!(error instanceof SecretKeyError) || isPostgresUrl(databasePath))
		return error;
	const { writtenUnder } = error;
	const isRightKey = (path: string) => {
		try {
			const key = parseSecretKey(readFileSync(path, "utf8"), path);
			return createCipher(key).keyId === writtenUnder;
		} catch {
			return false;
		}
	};
	const path = `${databasePath}.key`;
	const hints = {
		[path]: `Its key is in ${path}: unset PARTNERWIRE_SECRET_KEY.`,
		[`${path}.next`]: `Its key is in ${path}.next: run \`partnerwire secrets rekey\` again.`,
		[`${path}.${writtenUnder}`]: `Its key is in ${path}.${writtenUnder}: put that in the place of ${path}.`,
	};
	const hint = Object.entries(hints).find(([file]) => isRightKey(file))?.[1];
	return hint === undefined
		? error
		: new SecretKeyError(`${error.message} ${hint}`, {
				writtenUnder,
				cause: error,
			});
}
