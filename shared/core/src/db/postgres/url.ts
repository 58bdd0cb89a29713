import { parseUrl } from "@partnerwire/wire";
import { toUrlError, toUrlsOfTls } from "./tls.ts";

/** Whether a `--database` names a PostgreSQL server rather than a SQLite file. */
export const isPostgresUrl = (database: string): boolean =>
	/^postgres(ql)?:/i.test(database);

/** The settings of a URL's own parameters. All other parameters go to the driver. */
export interface PostgresSettings {
	/** The URL without Partnerwire's own parameters, as `connectInTurn` takes it. */
	readonly urls: readonly string[];
	/** The same of the URL to LISTEN on, if `urls` lead to a pooler. */
	readonly listenUrls: readonly string[] | null;
	/** The number of connections for reads, and the same number for writes. */
	readonly poolSize: number;
	readonly statementTimeoutMs: number;
	/** Keeps statements prepared by name; null does it where the connection can. */
	readonly prepared: boolean | null;
}

/** Reads a `postgres://` URL. Throws a `StorageError` of one sentence that does not repeat it. */
export function parsePostgresUrl(text: string): PostgresSettings {
	const url = parseUrl(text);
	if (url === null) throw toUrlError("cannot be parsed");
	const take = (name: string) => {
		const value = url.searchParams.get(name);
		url.searchParams.delete(name);
		return value;
	};
	const integer = (name: string, otherwise: number, most: number) => {
		const value = take(name);
		if (value === null) return otherwise;
		if (!/^\d{1,9}$/.test(value) || Number(value) < 1 || Number(value) > most)
			throw toUrlError(`needs a whole number from 1 to ${most} as ${name}`);
		return Number(value);
	};
	const poolSize = integer("pool_size", 8, 1000);
	const statementTimeoutMs = integer("statement_timeout_ms", 30_000, 3_600_000);
	const prepared = take("prepared_statements");
	if (prepared !== null && prepared !== "on" && prepared !== "off")
		throw toUrlError("takes prepared_statements=on or off");
	const listenText = take("listen_url");
	const listenUrl =
		listenText && isPostgresUrl(listenText) ? parseUrl(listenText) : null;
	if (listenText !== null && listenUrl === null)
		throw toUrlError("needs a postgres:// URL as listen_url");
	return {
		urls: toUrlsOfTls(url),
		listenUrls: listenUrl && toUrlsOfTls(listenUrl),
		poolSize,
		statementTimeoutMs,
		prepared: prepared && prepared === "on",
	};
}

/** A database as it may be shown: of a URL only host and name, without user, password and parameters. */
export function describeDatabase(database: string): string {
	if (!isPostgresUrl(database)) return database;
	const url = parseUrl(database);
	return url ? `postgres://${url.host}${url.pathname}` : "PostgreSQL";
}
