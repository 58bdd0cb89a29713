import { sql } from "drizzle-orm";
import type { LockedIntegration } from "../../context/standing.ts";
import type { Db, PostgresStatements } from "../../db/db.ts";
import { toLockStatement } from "../../db/postgres/advisory-lock.ts";
import { postgresCodeOf } from "../../db/postgres/faults.ts";
import { StorageError } from "../../db/storage-error.ts";

// In the order of keys, so that two transactions that lock several rows never wait for each other. Not FOR UPDATE,
// which would block inserting a delivery that refers to the row.
const lockBy = (condition: string) =>
	`select id from integration where ${condition} order by id for no key update`;

/**
 * Locks integrations before their deliveries change. Without it, a delivery added at the end of a lane, while the
 * lane's last one is being recorded, would wait forever. SQLite has one writer and needs no lock.
 */
export async function lockIntegrations(
	{ postgres }: Db,
	ids: readonly number[],
): Promise<void> {
	await postgres?.("lock_integrations", lockBy("id = any($1::bigint[])"), [
		[...new Set(ids)],
	]);
}

// Rows as JSON, so that another query can take all of them in one column. `materialized` locks them before they are read.
const LOCKED = `
with locked as materialized (
	select id, sequence, status, on_pause, ordering, configuration_id, event_ids from integration
	where company_uuid = COMPANY and deleted_at is null
	order by id for no key update
)
select json_agg(json_build_object(
	'id', l.id, 'sequence', l.sequence, 'status', l.status, 'onPause', l.on_pause, 'ordering', l.ordering,
	'configurationId', l.configuration_id, 'eventIds', l.event_ids,
	'configurationBytes', (select octet_length(json) from integration_configuration c where c.id = l.configuration_id)
))::text as locked from locked l`;

/** For a query of a company on PostgreSQL: its integrations, locked. */
export const lockedIntegrations = sql<string | null>`(${sql.raw(
	LOCKED.replace("COMPANY", "company.uuid"),
)})`;

/** The integrations in the column of `lockedIntegrations`. */
export const fromLocked = (
	json: string | null | undefined,
): LockedIntegration[] => JSON.parse(json ?? "[]");

/**
 * Locks all integrations of a company at once, on PostgreSQL. Each event has its own subscribers, and a transaction can
 * emit several events: locked one by one, the order would vary.
 */
export async function lockIntegrationsOf(
	run: PostgresStatements,
	companyUuid: string,
): Promise<LockedIntegration[]> {
	const [row] = await run<{ locked: string | null }>(
		"lock_integrations_of",
		LOCKED.replace("COMPANY", "$1::uuid"),
		[companyUuid],
	);
	return fromLocked(row?.locked);
}

/** Locks the integration with this uuid and the others of its company, for the same reason. */
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

/** Locks the integrations among `ids` that no other transaction holds. Returns their keys. */
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

/**
 * Locks integrations that other transactions hold in turn, each for a moment. Fails with `isLockTimeout` if one is held
 * longer than `waitMs`.
 */
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

/** Finds the integrations whose company no other transaction holds: an audit entry for them can be written now. */
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

/** Takes a named lock until the transaction ends. */
export async function lockName({ postgres }: Db, name: string): Promise<void> {
	await postgres?.(
		"lock_name",
		toLockStatement("hashtextextended($1::text, 0)"),
		[name],
	);
}
