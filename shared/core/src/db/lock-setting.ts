import type { Db } from "./db.ts";

/**
 * Protects a setting from changes until this transaction ends; several transactions may do so at once. SQLite has one
 * writer and needs no lock.
 */
export async function shareSetting(
	{ postgres }: Db,
	name: string,
): Promise<void> {
	await postgres?.(
		"share_setting",
		"select name from setting where name = $1::text for share",
		[name],
	);
}

/** Locks a setting to change it: waits for the transactions that share it, and keeps others out until this one ends. */
export async function holdSetting(
	{ postgres }: Db,
	name: string,
): Promise<void> {
	await postgres?.(
		"hold_setting",
		"select name from setting where name = $1::text for update",
		[name],
	);
}
