import type { Store } from "./db.ts";

const NAME = "write_check";

/** Writes a row, as a health check: rejects when the database takes no writes, for example because its disk is full. */
export async function checkWritable(
	store: Store,
	nowMs: number,
): Promise<void> {
	const value = String(nowMs);
	await store.write(({ query, tables: { setting } }) =>
		query
			.insert(setting)
			.values({ name: NAME, value })
			.onConflictDoUpdate({ target: setting.name, set: { value } }),
	);
}
