import { existsSync, statSync } from "node:fs";
import {
	type Cipher,
	createCipher,
	isPostgresUrl,
	loadSecretKey,
	parseSecretKey,
	writeKeyFile,
} from "@partnerwire/core";
import type { Settings } from "./settings/settings.ts";
import { CommandError } from "./usage-error.ts";

interface Keys {
	readonly fromCipher: Cipher;
	readonly toCipher: Cipher;
	/** Keeps the key of the new database where it belongs. Called before the copy is kept. */
	readonly beforeCommit?: () => void;
	/** Where that key is, for people. */
	readonly where: string;
}

/**
 * Finds the keys of a copy. The source has its own key, as always. The new database gets the next key, or that of a key
 * file beside it; without both it keeps the source's key, in a file if the source has it in a file.
 */
export function getCopyKeys({
	from,
	to,
	secretKey,
	nextSecretKey,
}: Pick<Settings, "secretKey" | "nextSecretKey"> & {
	readonly from: string;
	readonly to: string;
}): Keys {
	// Otherwise a key file would be created for a database that is not there.
	if (!isPostgresUrl(from) && !statSync(from, { throwIfNoEntry: false })?.size)
		throw new CommandError(`there is no database ${from}`);
	const key = loadSecretKey(from, secretKey);
	const toKeys = (toKey: Buffer, where: string): Keys => ({
		fromCipher: createCipher(key),
		toCipher: createCipher(toKey),
		where,
	});
	const file = `${to}.key`;
	if (nextSecretKey !== undefined)
		return toKeys(
			parseSecretKey(nextSecretKey, "PARTNERWIRE_NEXT_SECRET_KEY"),
			"give it as PARTNERWIRE_SECRET_KEY from now on",
		);
	if (!isPostgresUrl(to) && existsSync(file))
		return toKeys(loadSecretKey(to, undefined), `it is in ${file}`);
	if (secretKey !== undefined)
		return toKeys(key, "it is PARTNERWIRE_SECRET_KEY, as before");
	if (isPostgresUrl(to))
		return toKeys(
			key,
			`give what is in ${from}.key to every process as PARTNERWIRE_SECRET_KEY`,
		);
	return {
		...toKeys(key, `it is in ${file}`),
		beforeCommit: () => writeKeyFile(file, key),
	};
}
