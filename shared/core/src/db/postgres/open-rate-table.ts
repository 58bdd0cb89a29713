import pg from "pg";
import { isConnectionFault, postgresCodeOf } from "./faults.ts";
import { toOpenError } from "./refusals.ts";
import { describeDatabase, parsePostgresUrl } from "./url.ts";

/** Where rate limits are counted together; `query` takes a statement without a name, as a pooler wants it. */
export interface RateTable {
	readonly name: string;
	query(statement: {
		text: string;
		values?: unknown[];
	}): Promise<{ rows: unknown[]; rowCount: number | null }>;
	close(): Promise<void>;
}

const NAME = "rate_limit";
/** Counting must not hold a request up for long: without an answer each process counts for itself. */
const PATIENCE_MS = 1000;

/** The shape that rate-limiter-flexible wants; not among the migrations, because it may lie in another database. */
const CREATE = `
begin;
select pg_advisory_xact_lock(hashtextextended('${NAME}', 0));
create unlogged table if not exists ${NAME} (key varchar(255) primary key, points integer not null default 0, expire bigint);
commit`;

/** The server is away, which a start does not wait for; what it refuses is a mistake in the URL. */
const isAway = (error: unknown) =>
	isConnectionFault(postgresCodeOf(error)) || postgresCodeOf(error) === "pool";

/**
 * Connects to the database of rate limits and makes their table, any number of processes at once. While its server is away
 * `query` throws, and it makes the table when the server is there.
 */
export async function openRateTable(database: string): Promise<RateTable> {
	const pool = new pg.Pool({
		connectionString: parsePostgresUrl(database).url,
		max: 4,
		connectionTimeoutMillis: PATIENCE_MS,
		query_timeout: PATIENCE_MS,
		keepAlive: true,
		application_name: "partnerwire rate limits",
	});
	pool.on("error", () => {});
	pool.on("connect", (client) => client.on("error", () => {}));
	let making: Promise<unknown> | undefined;
	const makeTable = () => {
		making ??= pool.query(CREATE).catch((error) => {
			making = undefined;
			throw error;
		});
		return making;
	};
	try {
		await makeTable();
	} catch (error) {
		if (!isAway(error)) {
			await pool.end();
			throw toOpenError(describeDatabase(database), error);
		}
	}
	return {
		name: NAME,
		async query({ text, values }) {
			await makeTable();
			try {
				return await pool.query(text, values ?? []);
			} catch (error) {
				// Another server, or an older copy of it, has taken its place.
				if (postgresCodeOf(error) === "42P01") making = undefined;
				throw error;
			}
		},
		close: () => pool.end(),
	};
}
