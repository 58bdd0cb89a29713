import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { isPostgresUrl } from "../db/postgres/url.ts";
import { checkDatabasePath } from "../db/sqlite/check-path.ts";
import { createCipher } from "./cipher.ts";
import { SecretKeyError } from "./secret-key-error.ts";

const HEX = /^[0-9a-f]{64}$/i;
const BASE64 = /^[A-Za-z0-9+/_-]{43}=?$/;

/** Reads a key of 32 bytes spelled as 64 hex digits or as base64. Throws a `SecretKeyError`. */
export function parseSecretKey(text: string, origin: string): Buffer {
	const spelled = text.trim();
	if (HEX.test(spelled)) return Buffer.from(spelled, "hex");
	if (BASE64.test(spelled)) return Buffer.from(spelled, "base64");
	throw new SecretKeyError(
		`${origin} must be 32 bytes as 64 hex digits or as base64.`,
	);
}

/**
 * The key of a database: the given one, else the 0600 file beside a SQLite database, which is created for a database
 * that is new. A database without its key file is refused rather than given a key that cannot open it; PostgreSQL has no
 * place beside it where a key would be safe.
 */
export function loadSecretKey(
	databasePath: string,
	given: string | undefined,
): Buffer {
	if (given !== undefined)
		return parseSecretKey(given, "PARTNERWIRE_SECRET_KEY");
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
		if (!existsSync(databasePath)) return createKeyFile(path);
	} catch (error) {
		if (error instanceof SecretKeyError) throw error;
		const code = (error as { code?: unknown }).code;
		throw new SecretKeyError(`The key file ${path} cannot be used (${code}).`, {
			cause: error,
		});
	}
	throw new SecretKeyError(
		`The key file ${path} of the database is missing; put it back, or set PARTNERWIRE_SECRET_KEY.`,
	);
}

function createKeyFile(path: string): Buffer {
	const key = randomBytes(32);
	writeFileSync(path, `${key.toString("hex")}\n`, {
		mode: 0o600,
		flag: "wx",
		flush: true,
	});
	return key;
}

/** A key that is to take the place of the one in the file beside the database. */
export interface NextKeyFile {
	readonly key: Buffer;
	/** Puts it in the place of the old one, once the database is written under it; the old one stays as `<file>.<key id>`. */
	adopt(): void;
}

/**
 * Makes the file of the next key, or takes the one that a rekeying which did not end left: whichever of the two keys the database
 * is written under is then always in a file.
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

/** Backups from before can be read only under the key that was theirs. */
function keepOldKey(path: string): void {
	const text = readFileSync(path, "utf8");
	const { keyId } = createCipher(parseSecretKey(text, path));
	const kept = `${path}.${keyId}`;
	if (existsSync(kept) && readFileSync(kept, "utf8") === text) return;
	writeFileSync(kept, text, { mode: 0o600, flush: true });
}

/** Whether a rekeying that did not end left the file of its key. */
export const hasNextKeyFile = (databasePath: string): boolean =>
	existsSync(`${databasePath}.key.next`);

/** The error of a wrong key, with where the right one lies if that is known. */
export function tellOfKeyFiles(error: unknown, databasePath: string): unknown {
	if (!(error instanceof SecretKeyError) || isPostgresUrl(databasePath))
		return error;
	const { writtenUnder } = error;
	const opens = (path: string) => {
		try {
			const key = parseSecretKey(readFileSync(path, "utf8"), path);
			return createCipher(key).keyId === writtenUnder;
		} catch {
			return false;
		}
	};
	const path = `${databasePath}.key`;
	const hints = {
		[`${path}.next`]: `Its key is in ${path}.next: run \`partnerwire secrets rekey\` again.`,
		[`${path}.${writtenUnder}`]: `Its key is in ${path}.${writtenUnder}: put that in the place of ${path}.`,
	};
	const hint = Object.entries(hints).find(([file]) => opens(file))?.[1];
	return hint === undefined
		? error
		: new SecretKeyError(`${error.message} ${hint}`, {
				writtenUnder,
				cause: error,
			});
}
