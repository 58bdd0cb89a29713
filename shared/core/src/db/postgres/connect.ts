import { randomUUID } from "node:crypto";
import pg from "pg";
import { postgresCodeOf } from "./faults.ts";
import { connectInTurn } from "./tls.ts";
import type { PostgresSettings } from "./url.ts";

export const CONNECT_MS = 10_000;
/** A migration may rebuild an index of a large table. */
const LONG_MS = 3_600_000;

/** The properties of the connection to the server, as the first connection found them. */
export interface ConnectionTraits {
	/** A pooler such as PgBouncer is in between: clients take turns on a session, and none receives NOTIFY. */
	readonly isPooled: boolean;
	/** A connection may set a statement timeout when it begins. */
	readonly takesTimeout: boolean;
	/** The server ends statements within the time, by the connection's parameter or the role's setting. */
	readonly endsStatements: boolean;
	/** A statement that was prepared by name can be used again. */
	readonly keepsStatements: boolean;
}

export interface LongConnection {
	readonly client: pg.Client;
	/** The URL of those that the settings allow which worked. */
	readonly url: string;
	readonly traits: ConnectionTraits;
}

/** Connects one client whose statements may take long: for a migration, a copy, or to find out about a server. */
export const connectForLong = ({
	urls,
	statementTimeoutMs,
}: Pick<
	PostgresSettings,
	"urls" | "statementTimeoutMs"
>): Promise<LongConnection> =>
	connectInTurn(urls, (url) => connectToFind(url, statementTimeoutMs));

/**
 * Connects with the statement timeout as a parameter of the connection, which costs reads nothing. PgBouncer refuses
 * the parameter, or ignores it if `ignore_startup_parameters` says so, so the setting is read back.
 */
async function connectToFind(
	url: string,
	statementTimeoutMs: number,
): Promise<LongConnection> {
	let takesTimeout = true;
	const client = await connect(url, statementTimeoutMs).catch((error) => {
		// protocol_violation: "unsupported startup parameter".
		if (postgresCodeOf(error) !== "08P01") throw error;
		takesTimeout = false;
		return connect(url, undefined);
	});
	try {
		const { rows } = await client.query(
			"select pg_backend_pid() as pid, setting::int as ms from pg_settings where name = 'statement_timeout'",
		);
		const { pid, ms } = rows[0] as { pid: number; ms: number };
		// A pooler gives its clients process ids of its own, for cancelling.
		const { processID } = client as pg.Client & { processID: number };
		const endsStatements = ms > 0 && ms <= statementTimeoutMs;
		const isPooled = processID !== pid;
		const keepsStatements = !isPooled || (await findRenaming(client));
		return {
			client,
			url,
			traits: { isPooled, takesTimeout, endsStatements, keepsStatements },
		};
	} catch (error) {
		await client.end().catch(() => {});
		throw error;
	}
}

/**
 * Whether a pooler keeps prepared statements for its clients, as PgBouncer does from 1.21 on. It then gives them names
 * of its own: a statement that looks for its own name does not find it. Any other pooler would use it on a session that
 * does not have it.
 */
async function findRenaming(client: pg.Client): Promise<boolean> {
	const name = `probe_${randomUUID()}`;
	await client.query("begin");
	try {
		const { rowCount } = await client.query({
			name,
			text: "select from pg_prepared_statements where name = $1::text",
			values: [name],
		});
		if (rowCount) await client.query(`deallocate "${name}"`);
		await client.query("commit");
		return !rowCount;
	} catch {
		// It takes no named statements at all.
		await client.query("rollback");
		return false;
	}
}

async function connect(
	url: string,
	statementTimeoutMs: number | undefined,
): Promise<pg.Client> {
	const client = new pg.Client({
		connectionString: url,
		connectionTimeoutMillis: CONNECT_MS,
		query_timeout: LONG_MS,
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
