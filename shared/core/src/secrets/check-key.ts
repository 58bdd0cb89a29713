import type { Store } from "../db/db.ts";
import { insertRow } from "../db/insert-row.ts";
import type { Cipher } from "./cipher.ts";
import { SecretKeyError } from "./secret-key-error.ts";

/** The setting that holds the check value, and its purpose. */
export const CHECK_NAME = "secret_key_check";
const PLAIN = "partnerwire";

/** Refuses to start with a key that is not the database's; the first start writes the check value. */
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
		// Said below, in words that help.
	}
	const writtenUnder = stored.split(".")[0];
	throw new SecretKeyError(
		`The secret key (id ${cipher.keyId}) is not the one that this database was written with (id ${writtenUnder}).`,
	);
}
