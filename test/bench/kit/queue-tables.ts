import type pg from "pg";

/** Tables that every delivery writes to. */
export const QUEUE_TABLES = [
	"delivery",
	"event",
	"attempt",
	"integration",
	"delivery_rollup",
] as const;

/** A table at one moment. */
export interface TableSample {
	readonly name: string;
	readonly live: number;
	readonly dead: number;
	/** The number of rows changed or removed so far. Each leaves a dead row. */
	readonly killed: number;
	readonly vacuums: number;
	readonly tableBytes: number;
	readonly indexBytes: number;
}

export async function sampleTables(client: pg.Client): Promise<TableSample[]> {
	const { rows } = await client.query(
		`select relname as name, n_live_tup::float8 as live, n_dead_tup::float8 as dead,
			(n_tup_upd + n_tup_del)::float8 as killed, autovacuum_count::int as vacuums,
			pg_table_size(relid)::float8 as "tableBytes", pg_indexes_size(relid)::float8 as "indexBytes"
		from pg_stat_user_tables where relname = any($1)`,
		[QUEUE_TABLES],
	);
	return rows;
}

/** The settings of autovacuum. */
export interface VacuumSettings {
	readonly napS: number;
	readonly thresholds: ReadonlyMap<string, Threshold>;
}

/** A table is vacuumed when it has this number of dead rows plus this part of the live ones. */
export interface Threshold {
	readonly base: number;
	readonly part: number;
}

/** Throws if autovacuum is off for the server or a table. */
export async function readVacuumSettings(
	client: pg.Client,
): Promise<VacuumSettings> {
	const setting = async (name: string) => {
		const { rows } = await client.query(
			"select setting from pg_settings where name = $1",
			[name],
		);
		return String(rows[0]?.setting);
	};
	const { rows } = await client.query(
		`select relname as name, coalesce((select jsonb_object_agg(option_name, option_value)
			from pg_options_to_table(reloptions)), '{}') as options
		from pg_class where relname = any($1) and relkind = 'r'`,
		[QUEUE_TABLES],
	);
	const isOff = (text: unknown) => text === "off" || text === "false";
	if (
		isOff(await setting("autovacuum")) ||
		rows.some(({ options }) => isOff(options.autovacuum_enabled))
	)
		throw new Error("autovacuum is off");
	const base = await setting("autovacuum_vacuum_threshold");
	const part = await setting("autovacuum_vacuum_scale_factor");
	return {
		napS: Number(await setting("autovacuum_naptime")),
		thresholds: new Map(
			rows.map(({ name, options }) => [
				name,
				{
					base: Number(options.autovacuum_vacuum_threshold ?? base),
					part: Number(options.autovacuum_vacuum_scale_factor ?? part),
				},
			]),
		),
	};
}
