import { closeSync, existsSync, openSync } from "node:fs";
import { ReceiverConfigError } from "../common/config-error.ts";
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
import { untilFree } from "./until-free.ts";

/** The options of `sqliteInbox`. */
export interface SqliteInboxOptions extends InboxOptions {
	/** The table, created if it does not exist. */
	table?: string;
	/** False throws if the file or the table is missing, instead of creating it. */
	create?: boolean;
	/** Milliseconds since the epoch, the same for all processes on the file. */
	clock?: () => number;
}

/** The part of better-sqlite3 that is used. */
interface Client {
	exec(sql: string): unknown;
	pragma(text: string): unknown;
	prepare(sql: string): { all(parameters: InboxParameters): unknown[] };
	close(): unknown;
}

const OPEN_WAIT_MS = 10_000;

const refuse = (message: string): never => {
	throw new ReceiverConfigError("CONFIG_STORE", `sqliteInbox: ${message}`);
};

/** Loads better-sqlite3 with its binary, which may be missing or built for another Node. */
function loadSqlite() {
	const Database = loadDriver("better-sqlite3", "sqliteInbox") as new (
		path: string,
		options: object,
	) => Client;
	try {
		new Database(":memory:", {}).close();
	} catch {
		refuse(
			`better-sqlite3 is not built for Node ${process.version}: run \`npm rebuild better-sqlite3\` (pnpm: \`pnpm approve-builds\`); the file is not touched.`,
		);
	}
	return Database;
}

function openClient(path: string, table: string, create: boolean): Client {
	// Before the file is made, so that a driver that is not built leaves none.
	const Database = loadSqlite();
	if (!create && !existsSync(path)) refuse(`there is no file ${path}.`);
	try {
		// Events are confidential, so only the owner may read a new file.
		closeSync(openSync(path, create ? "a" : "r", 0o600));
		const client = new Database(path, { fileMustExist: true });
		try {
			// Another process that opens the file at the same moment locks it briefly.
			client.pragma(`busy_timeout = ${OPEN_WAIT_MS}`);
			if (!create) refuseWithout(client, table, path);
			client.pragma("journal_mode = WAL");
			// A 200 promises that the event survives a power cut. With better-sqlite3's default it would not.
			client.pragma("synchronous = FULL");
			if (create) client.exec(toSchema(table));
			client.pragma("busy_timeout = 0");
		} catch (error) {
			client.close();
			throw error;
		}
		return client;
	} catch (error) {
		if (error instanceof ReceiverConfigError) throw error;
		return refuse(
			`${path} cannot be opened (${(error as { code?: unknown }).code ?? "unknown fault"}).`,
		);
	}
}

function refuseWithout(client: Client, table: string, path: string): void {
	const found = client
		.prepare(
			"select 1 from sqlite_schema where type = 'table' and name = @name",
		)
		.all({ name: table });
	if (found.length === 0)
		refuse(`${path} holds no inbox: it has no table ${table}.`);
}

const toSchema = (table: string): string =>
	[
		`create table if not exists ${table} (id integer primary key autoincrement, ${INBOX_COLUMNS})`,
		...Object.entries(INBOX_INDEXES).map(
			([suffix, on]) =>
				`create index if not exists ${table}_${suffix} on ${table} ${on}`,
		),
	].join(";\n");

function openDatabase(
	path: string,
	o: Required<Omit<SqliteInboxOptions, keyof InboxOptions>>,
): InboxDatabase {
	const client = openClient(path, o.table, o.create);
	const sql = toInboxSql(o.table, { now: "@now", lock: "" });
	const prepared = new Map<string, ReturnType<Client["prepare"]>>();
	const prepare = (text: string) => {
		const known = prepared.get(text) ?? client.prepare(text);
		prepared.set(text, known);
		return known;
	};
	const run = <Row>(text: string, parameters: InboxParameters) =>
		untilFree(
			() => prepare(text).all({ ...parameters, now: o.clock() }) as Row[],
		);
	return {
		sql,
		run,
		put: (parameters) => run(sql.put, parameters),
		close: () => void client.close(),
	};
}

/**
 * A durable inbox in a SQLite file of its own, for the processes of one machine. It needs better-sqlite3, and sets WAL and
 * `synchronous=FULL`, so that acknowledged events survive a power cut.
 *
 * @example
 * createReceiver({ secret, inbox: sqliteInbox("webhooks.db") });
 */
export function sqliteInbox(
	path: string,
	options: SqliteInboxOptions = {},
): Inbox {
	const {
		table = "partnerwire_inbox",
		create = true,
		clock = () => Date.now(),
		...rest
	} = options;
	if (
		typeof path !== "string" ||
		path === "" ||
		/^(:memory:$|file:)/i.test(path)
	)
		refuse("give it the path of a file: an inbox in memory is not durable.");
	if (!/^[A-Za-z_]\w*$/.test(table))
		refuse("table must be a plain name of letters, digits and underscores.");
	return createInbox(
		createInboxStore(openDatabase(path, { table, create, clock })),
		rest,
	);
}
