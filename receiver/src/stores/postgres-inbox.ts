import { createInbox, type Inbox, type InboxOptions } from "../inbox/inbox.ts";
import {
	createInboxStore,
	type InboxDatabase,
	type InboxParameters,
} from "../inbox/inbox-database.ts";
import {
	INBOX_COLUMNS,
	INBOX_INDEXES,
	toInboxSql,
} from "../inbox/inbox-sql.ts";
import { loadDriver } from "./load-driver.ts";
import {
	createSetup,
	nowOr,
	type PgLike,
	type PostgresClientLike,
	quoteTable,
	toQuery,
	toSetup,
	withoutSchema,
	withSuffix,
} from "./postgres-client.ts";

/** The options of `postgresInbox`. */
export interface PostgresInboxOptions extends InboxOptions {
	/** The table, `name` or `schema.name`. */
	table?: string;
	/** False if you create the schema yourself, by running `postgresInboxSchema()`. */
	createTable?: boolean;
	/** For tests: milliseconds since the epoch, instead of the server's own clock. */
	clock?: () => number;
}

const TABLE = "partnerwire_inbox";
const CONNECT_MS = 10_000;
const LOCK = "for update skip locked";

/** The parameters of `put`, with their types. */
const PUT = {
	fingerprint: "text",
	delivery_id: "text",
	entity_id: "text",
	sequence: "bigint",
	supersedes: "integer",
	event_id: "text",
	body: "text",
	envelope: "text",
	now: "bigint",
} as const;

/** If the function changes it needs a new name, so that processes of both versions can run at the same time. */
const putOf = (name: string): string => withSuffix(name, "put_1");

/** The schema of an inbox. It is one statement, and any number of processes may run it any number of times. */
export function postgresInboxSchema(table: string = TABLE): string {
	const name = quoteTable(table, "postgresInboxSchema");
	const { put } = toInboxSql(name, { now: "v_now", lock: LOCK });
	return toSetup(
		`to_regproc('${putOf(name)}') is not null`,
		`	create table if not exists ${name} (id bigint generated always as identity primary key, ${INBOX_COLUMNS});
	${Object.entries(INBOX_INDEXES)
		.map(
			([suffix, on]) =>
				`create index if not exists ${withoutSchema(withSuffix(name, suffix))} on ${name} ${on};`,
		)
		.join("\n	")}
	create or replace function ${putOf(name)}(
		${Object.entries(PUT)
			.map(([parameter, type]) => `a_${parameter} ${type}`)
			.join(", ")}
	) returns table (is_conflict integer) language plpgsql as $put$
	declare
		v_now bigint;
	begin
		if current_setting('transaction_isolation') <> 'read committed' then
			raise 'partnerwire: an inbox needs the isolation level read committed';
		end if;
		-- The second makes ids of one record follow the order of the commits, so that its older events are always seen.
		perform pg_advisory_xact_lock(hashtextextended('${name}' || a_fingerprint, 0));
		perform pg_advisory_xact_lock(hashtextextended('${name}' || coalesce(a_entity_id, a_fingerprint), 0));
		v_now := ${nowOr("a_now")};
		return query ${put.replaceAll("@", "a_")};
	end $put$;`,
	);
}

/** Replaces each `@name` by `$n`, and returns the names in that order. */
function toPositional(text: string): { text: string; names: string[] } {
	const names: string[] = [];
	return {
		text: text.replaceAll(/@(\w+)/g, (_, name: string) => {
			if (!names.includes(name)) names.push(name);
			return `$${names.indexOf(name) + 1}`;
		}),
		names,
	};
}

function openDatabase(
	client: PostgresClientLike,
	o: { table: string; createTable: boolean; clock: (() => number) | undefined },
	close: () => Promise<unknown>,
): InboxDatabase {
	const name = quoteTable(o.table, "postgresInbox");
	const query = toQuery(client, "postgresInbox");
	const ready = createSetup(
		query,
		o.createTable ? postgresInboxSchema(o.table) : undefined,
	);
	const sql = toInboxSql(name, { now: nowOr("@now"), lock: LOCK });
	const arguments_ = Object.keys(PUT).map((parameter) => `@${parameter}`);
	const put = `select is_conflict as conflict from ${putOf(name)}(${arguments_.join(", ")})`;
	async function run<Row>(
		text: string,
		parameters: InboxParameters,
	): Promise<Row[]> {
		await ready();
		const all: InboxParameters = { ...parameters, now: o.clock?.() ?? null };
		const positional = toPositional(text);
		return query<Row>(
			positional.text,
			positional.names.map((each) => all[each] ?? null),
		);
	}
	return {
		sql,
		run,
		put: (parameters) => run(put, parameters),
		close: async () => void (await close()),
	};
}

/** Opens a pool of pg for a URL. The inbox closes it. */
function openPool(connectionString: string): PgLike & { end(): Promise<void> } {
	const { Pool } = loadDriver("pg", "postgresInbox with a URL") as {
		Pool: new (
			options: object,
		) => PgLike & {
			end(): Promise<void>;
		};
	};
	return new Pool({ connectionString, connectionTimeoutMillis: CONNECT_MS });
}

/**
 * A durable inbox in PostgreSQL (11 or later), for all processes that use the same table, by the server's clock. Give it a client as
 * for `postgresStore`, or a URL, for which it needs pg.
 *
 * @example
 * createReceiver({ secret, inbox: postgresInbox(new pg.Pool()) });
 */
export function postgresInbox(
	client: PostgresClientLike | string,
	options: PostgresInboxOptions = {},
): Inbox {
	const { table = TABLE, createTable = true, clock, ...rest } = options;
	const o = { table, createTable, clock };
	if (typeof client !== "string")
		return createInbox(
			createInboxStore(openDatabase(client, o, async () => {})),
			rest,
		);
	const pool = openPool(client);
	return createInbox(
		createInboxStore(openDatabase(pool, o, () => pool.end())),
		rest,
	);
}
