import pg from "pg";
import { toLockStatement } from "./advisory-lock.ts";
import { isConnectionFault, postgresCodeOf } from "./faults.ts";
import { toOpenError } from "./refusals.ts";
import { connectInTurn } from "./tls.ts";
import { describeDatabase, parsePostgresUrl } from "./url.ts";

/**
 * The table in which processes count rate limits together. `query` takes statements without a name, because of poolers.
 */
export interface RateTable {
	readonly name: string;
	query(statement: {
		text: string;
		values?: unknown[];
	}): Promise<{ rows: unknown[]; rowCount: number | null }>;
	close(): Promise<void>;
}

const NAME = "rate_limit";
/** Counting must not delay a request: without an answer in this time, each process counts for itself. */
const ANSWER_WITHIN_MS = 1000;

/** The shape that rate-limiter-flexible expects. Not a migration, because the table may be in another database. */
const CREATE = `
begin;
${toLockStatement(`hashtextextended('${NAME}', 0)`)};
create unlogged table if not exists ${NAME} (key varchar(255) primary key, points integer not null default 0, expire bigint);
commit`;

/** Whether the server is unreachable: a start does not wait for it. A refusal, in contrast, is a mistake in the URL. */
function isUnreachable(error: unknown): boolean {
	const code = postgresCodeOf(error);
	return isConnectionFault(code) || code === "pool" || code === "timeout";
}

/**
 * Connects to the database of rate limits and creates the table; any number of processes may do so at once. While the
 * server is away, `query` throws; once it is back, `query` creates the table.
 */
export const openRateTable = (database: string): Promise<RateTable> =>
	connectInTurn(parsePostgresUrl(database).urls, (url) =>
		openAt(url, describeDatabase(database)),
	);

async function openAt(url: string, where: string): Promise<RateTable> {
	const pool = new pg.Pool({
		connectionString: url,
		max: 4,
		connectionTimeoutMillis: ANSWER_WITHIN_MS,
		query_timeout: ANSWER_WITHIN_MS,
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
		if (!isUnreachable(error)) {
			await pool.end();
			throw toOpenError(where, error);
		}
	}
	return {
		name: NAME,
		async query({ text, values }) {
			await makeTable();
			try {
				return await pool.query(text, values ?? []);
			} catch (error) {
				// Another server, or an older copy of the database, is in use: the table must be created again.
				if (postgresCodeOf(error) === "42P01") making = undefined;
				throw error;
			}
		},
		close: () => pool.end(),
	};
}
