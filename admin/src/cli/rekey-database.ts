import {
	createCipher,
	hasNextKeyFile,
	isPostgresUrl,
	parseSecretKey,
	prepareNextKeyFile,
	refuseInUse,
	rekey,
	SecretKeyError,
} from "@partnerwire/core";
import { withService } from "./local.ts";
import type { Settings } from "./settings/settings.ts";
import { UsageError } from "./usage-error.ts";

/** Encrypts a database's secrets with its next key, which then replaces the old one (docs/decisions.md#changing-it). */
export async function rekeyDatabase(
	settings: Settings,
): Promise<{ values: number; key_id: string }> {
	const { nextSecretKey, database } = settings;
	if (nextSecretKey !== undefined) {
		const key = parseSecretKey(nextSecretKey, "PARTNERWIRE_NEXT_SECRET_KEY");
		if (!isPostgresUrl(database)) {
			await withService(settings, async () => {});
			refuseInUse(database);
		}
		return rewrite(settings, key);
	}
	if (isPostgresUrl(database))
		throw new UsageError(
			"PostgreSQL's key is PARTNERWIRE_SECRET_KEY: give it, and the new one as PARTNERWIRE_NEXT_SECRET_KEY",
		);
	// Opened first, so that a database that cannot be opened gets no second key.
	await withService(settings, async () => {}).catch((error) => {
		// An earlier run may have encrypted it with the next key and ended before the key file was replaced.
		if (!(error instanceof SecretKeyError && hasNextKeyFile(database)))
			throw error;
	});
	refuseInUse(database);
	const next = prepareNextKeyFile(database);
	const done = await rewrite(settings, next.key).catch(async (error) => {
		if (!(error instanceof SecretKeyError)) throw error;
		const secretKey = next.key.toString("hex");
		await withService({ ...settings, secretKey }, async () => {}).catch(() => {
			throw error;
		});
		return { values: 0, key_id: createCipher(next.key).keyId };
	});
	next.adopt();
	return done;
}

const rewrite = (settings: Settings, key: Buffer) =>
	withService(settings, async ({ store, core }) => {
		const cipher = createCipher(key);
		const values = await rekey(store, core.cipher, cipher);
		return { values, key_id: cipher.keyId };
	});
