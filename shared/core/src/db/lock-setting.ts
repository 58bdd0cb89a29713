import type { Db } from "./db.ts";

/** Keeps a setting as it is until this transaction ends; others may do the same. On SQLite there is one writer anyway. */
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

/** Waits for those who keep a setting as it is, and lets nobody else until this transaction ends. */
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
