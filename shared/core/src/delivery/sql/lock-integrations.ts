import type { Db } from "../../db/db.ts";
import { postgresCodeOf } from "../../db/postgres/faults.ts";
import { StorageError } from "../../db/storage-error.ts";

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

/** Locks integrations that others hold in turn, each for a moment; throws `isLockTimeout` when one is held for longer. */
export async function lockIntegrationsWithin(
	db: Db,
	ids: readonly number[],
	waitMs: number,
): Promise<void> {
	await db.postgres?.(
		"set_lock_timeout",
		"select set_config('lock_timeout', $1::text, true)",
		[`${waitMs}ms`],
	);
	await lockIntegrations(db, ids);
}

/** Whether a transaction failed because it waited too long for a lock. */
export const isLockTimeout = (error: unknown): boolean =>
	error instanceof StorageError && postgresCodeOf(error.cause) === "55P03";

/** Those of some integrations, by key, to which an entry of the audit log can be written now: nobody holds their company. */
export async function findFreeCompanies(
	{ postgres }: Db,
	ids: readonly number[],
): Promise<number[]> {
	if (!postgres || ids.length === 0) return [...ids];
	const rows = await postgres<{ id: number }>(
		"find_free_companies",
		`select i.id from integration i join company c on c.uuid = i.company_uuid
		where i.id = any($1::bigint[]) for key share of c skip locked`,
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
