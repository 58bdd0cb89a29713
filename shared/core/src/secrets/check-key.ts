import { eq } from "drizzle-orm";
import type { Db, Store } from "../db/db.ts";
import { insertRow } from "../db/insert-row.ts";
import { shareSetting } from "../db/lock-setting.ts";
import type { Cipher } from "./cipher.ts";
import { SecretKeyError } from "./secret-key-error.ts";

/** The name of the setting with the check value, and the purpose under which it is encrypted. */
export const CHECK_NAME = "secret_key_check";
const PLAIN = "partnerwire";

/** Throws if the key is not the database's. The first start writes the check value. */
export async function checkKey(store: Store, cipher: Cipher): Promise<void> {
	const stored = await store.write(async (db) => {
		const settings = await db.query.select().from(db.tables.setting);
		const found = settings.find(({ name }) => name === CHECK_NAME);
		if (found) return found.value;
		const value = cipher.encrypt(PLAIN, CHECK_NAME);
		await insertRow(db, "setting", { name: CHECK_NAME, value });
		return value;
	});
	try {
		if (cipher.decrypt(stored, CHECK_NAME) === PLAIN) return;
	} catch {
		// `wrongKey` below has the better message.
	}
	throw wrongKey(cipher, stored);
}

/**
 * Throws if the database was moved to another key since this process opened it: a value encrypted under the old key
 * could never be decrypted. Called in the transaction that writes a secret, before any other lock.
 */
export async function requireSameKey(db: Db, cipher: Cipher): Promise<void> {
	await shareSetting(db, CHECK_NAME);
	const { setting } = db.tables;
	const [check] = await db.query
		.select()
		.from(setting)
		.where(eq(setting.name, CHECK_NAME));
	if (check && !check.value.startsWith(`${cipher.keyId}.`))
		throw wrongKey(cipher, check.value);
}

function wrongKey({ keyId }: Cipher, stored: string): SecretKeyError {
	const writtenUnder = stored.split(".")[0];
	return new SecretKeyError(
		`The secret key (id ${keyId}) is not the one that this database was written with (id ${writtenUnder}).`,
		{ writtenUnder },
	);
}
