import { eq, like, sql } from "drizzle-orm";
import type { Db, Store } from "../db/db.ts";
import { holdSetting } from "../db/lock-setting.ts";
import { CHECK_NAME } from "./check-key.ts";
import type { Cipher } from "./cipher.ts";
import { secretPurpose } from "./integration-secrets.ts";

/**
 * Re-encrypts every encrypted value under another key, in one transaction. Afterwards a process with the old key can
 * neither write secrets nor deliver. Returns the number of values.
 */
export const rekey = (
	store: Store,
	from: Cipher,
	to: Cipher,
): Promise<number> => store.write((db) => rekeyRows(db, from, to));

/** The same within a transaction that has begun. */
export async function rekeyRows(
	db: Db,
	from: Cipher,
	to: Cipher,
): Promise<number> {
	const { query, tables } = db;
	await holdSetting(db, CHECK_NAME);
	let values = 0;
	const reencrypt = (sealed: string, purpose: string) => {
		values++;
		return to.encrypt(from.decrypt(sealed, purpose), purpose);
	};
	const reencryptOrNull = (sealed: string | null, purpose: string) =>
		sealed === null ? null : reencrypt(sealed, purpose);

	const { integration, idempotency, setting } = tables;
	for (const row of await query.select().from(integration)) {
		const secret = secretPurpose(row.uuid, "secret");
		await query
			.update(integration)
			.set({
				secret: reencrypt(row.secret, secret),
				nextSecret: reencryptOrNull(row.nextSecret, secret),
				apiKey: reencryptOrNull(row.apiKey, secretPurpose(row.uuid, "api_key")),
				externalSettings: reencryptOrNull(
					row.externalSettings,
					secretPurpose(row.uuid, "external_settings"),
				),
				// The version is the signal for processes to discard their decrypted copy.
				version: sql`${integration.version} + 1`,
			})
			.where(eq(integration.id, row.id));
	}
	// Only stored answers that hold a secret are encrypted; the others are JSON.
	const sealed = await query
		.select()
		.from(idempotency)
		.where(like(idempotency.answer, `${from.keyId}.%`));
	for (const { scope, answer } of sealed)
		await query
			.update(idempotency)
			.set({ answer: reencryptOrNull(answer, scope) })
			.where(eq(idempotency.scope, scope));
	const [check] = await query
		.select()
		.from(setting)
		.where(eq(setting.name, CHECK_NAME));
	if (check)
		await query
			.update(setting)
			.set({ value: reencrypt(check.value, CHECK_NAME) })
			.where(eq(setting.name, CHECK_NAME));
	return values;
}
