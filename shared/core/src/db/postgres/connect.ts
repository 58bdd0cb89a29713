import pg from "pg";
import { postgresCodeOf } from "./faults.ts";

/** What a first connection has shown of the way to the server. */
export interface Way {
	/** A pooler such as PgBouncer is between: a session is of many clients in turn, and hears no NOTIFY. */
	readonly isPooled: boolean;
	/** A connection may ask for a statement timeout as it begins. */
	readonly takesTimeout: boolean;
	/** Each connection ends its statements on the server within the time: by what it asks for, or as the role has it. */
	readonly endsStatements: boolean;
}

export interface WayOptions {
	readonly url: string;
	readonly statementTimeoutMs: number;
	readonly connectMs: number;
	/** How long a statement of this client itself may take. */
	readonly queryMs: number;
}

/**
 * Connects, with the statement timeout as a parameter of the connection, which costs a read nothing. PgBouncer refuses such
 * a parameter, or ignores it where its `ignore_startup_parameters` say so: what came of it is looked at, not assumed.
 */
export async function connectToFind(
	o: WayOptions,
): Promise<{ client: pg.Client; way: Way }> {
	let takesTimeout = true;
	const client = await connect(o, o.statementTimeoutMs).catch((error) => {
		// protocol_violation: "unsupported startup parameter".
		if (postgresCodeOf(error) !== "08P01") throw error;
		takesTimeout = false;
		return connect(o, undefined);
	});
	try {
		const { rows } = await client.query(
			"select pg_backend_pid() as pid, setting::int as ms from pg_settings where name = 'statement_timeout'",
		);
		const { pid, ms } = rows[0] as { pid: number; ms: number };
		// A pooler gives its clients numbers of its own to cancel by.
		const { processID } = client as unknown as { processID: number };
		const endsStatements = ms > 0 && ms <= o.statementTimeoutMs;
		const isPooled = processID !== pid;
		return { client, way: { isPooled, takesTimeout, endsStatements } };
	} catch (error) {
		await client.end().catch(() => {});
		throw error;
	}
}

async function connect(
	{ url, connectMs, queryMs }: WayOptions,
	statementTimeoutMs: number | undefined,
): Promise<pg.Client> {
	const client = new pg.Client({
		connectionString: url,
		connectionTimeoutMillis: connectMs,
		query_timeout: queryMs,
		...(statementTimeoutMs && { statement_timeout: statementTimeoutMs }),
	});
	client.on("error", () => {});
	try {
		await client.connect();
		return client;
	} catch (error) {
		await client.end().catch(() => {});
		throw error;
	}
}
