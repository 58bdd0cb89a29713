import type { Db } from "./db.ts";

// In the order of their keys, so that two that lock several never wait for each other. Not FOR UPDATE, which would keep
// others from inserting a delivery's reference to the row.
const lockBy = (condition: string) =>
	`select id from integration where ${condition} order by id for no key update`;

/**
 * Whoever changes what an integration has to deliver holds its row: what is added at the end of a lane while its last
 * one is settled would else wait for ever. On SQLite there is one writer, so that nothing needs to be locked.
 */
export async function lockIntegrations(
	{ postgres }: Db,
	ids: readonly number[],
): Promise<void> {
	await postgres?.("lock_integrations", lockBy("id = any($1::bigint[])"), [
		[...new Set(ids)],
	]);
}

/**
 * Locks the integrations of a company, all at once: one after the other, as each event has its own subscribers and each
 * transaction several events, they would be locked in any order.
 */
export async function lockIntegrationsOf(
	{ postgres }: Db,
	companyUuid: string,
): Promise<void> {
	await postgres?.(
		"lock_integrations_of",
		lockBy("company_uuid = $1::uuid and deleted_at is null"),
		[companyUuid],
	);
}

/** Locks the integration of a public uuid, and those beside it for the same reason. */
export async function lockIntegration(
	{ postgres }: Db,
	uuid: string,
): Promise<void> {
	await postgres?.(
		"lock_integration",
		lockBy(
			"company_uuid = (select company_uuid from integration where uuid = $1::uuid) and (deleted_at is null or uuid = $1::uuid)",
		),
		[uuid],
	);
}

/** Locks those of some integrations that no other transaction holds, and answers their keys. */
export async function lockFreeIntegrations(
	{ postgres }: Db,
	ids: readonly number[],
): Promise<number[]> {
	if (!postgres) return [...ids];
	const rows = await postgres<{ id: number }>(
		"lock_free_integrations",
		`${lockBy("id = any($1::bigint[])")} skip locked`,
		[ids],
	);
	return rows.map(({ id }) => id);
}

/** Waits until no other transaction does what the name says; ends with the transaction. */
export async function lockName({ postgres }: Db, name: string): Promise<void> {
	await postgres?.(
		"lock_name",
		"select pg_advisory_xact_lock(hashtextextended($1::text, 0))",
		[name],
	);
}
