import { eq, sql } from "drizzle-orm";
import type { Store } from "../db/db.ts";
import { holdSetting } from "../db/lock-setting.ts";
import { CHECK_NAME } from "./check-key.ts";
import type { Cipher } from "./cipher.ts";
import { secretPurpose } from "./integration-secrets.ts";

/**
 * Encrypts everything that is encrypted anew under another key, in one transaction: all of it, or nothing. A process
 * that still has the old key writes no more secrets then, but delivers nothing either. Answers how many values there were.
 */
export function rekey(store: Store, from: Cipher, to: Cipher): Promise<number> {
	return store.write(async (db) => {
		const { query, tables } = db;
		await holdSetting(db, CHECK_NAME);
		let values = 0;
		const again = (sealed: string, purpose: string) => {
			values++;
			return to.encrypt(from.decrypt(sealed, purpose), purpose);
		};
		const orNull = (sealed: string | null, purpose: string) =>
			sealed === null ? null : again(sealed, purpose);

		const { integration, idempotency, setting } = tables;
		for (const row of await query.select().from(integration)) {
			const secret = secretPurpose(row.uuid, "secret");
			await query
				.update(integration)
				.set({
					secret: again(row.secret, secret),
					nextSecret: orNull(row.nextSecret, secret),
					apiKey: orNull(row.apiKey, secretPurpose(row.uuid, "api_key")),
					externalSettings: orNull(
						row.externalSettings,
						secretPurpose(row.uuid, "external_settings"),
					),
					// Processes keep an integration decrypted for as long as its version stays.
					version: sql`${integration.version} + 1`,
				})
				.where(eq(integration.id, row.id));
		}
		// Of the answers that are kept for replay only those that hold a secret are encrypted; the others are JSON.
		for (const { scope, answer } of await query.select().from(idempotency)) {
			if (!answer?.startsWith(`${from.keyId}.`)) continue;
			await query
				.update(idempotency)
				.set({ answer: again(answer, scope) })
				.where(eq(idempotency.scope, scope));
		}
		const [check] = await query
			.select()
			.from(setting)
			.where(eq(setting.name, CHECK_NAME));
		if (check)
			await query
				.update(setting)
				.set({ value: again(check.value, CHECK_NAME) })
				.where(eq(setting.name, CHECK_NAME));
		return values;
	});
}
