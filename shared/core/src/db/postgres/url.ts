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
	/** The same of the URL of a standby that answers lists. */
	readonly readUrls: readonly string[] | null;
	/** How far behind that standby may be. */
	readonly readMaxLagMs: number;
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
	const integer = (
		name: string,
		otherwise: number,
		[least, most]: readonly [number, number],
	) => {
		const value = take(name);
		if (value === null) return otherwise;
		const number = /^\d{1,9}$/.test(value) ? Number(value) : 0;
		if (number < least || number > most)
			throw toUrlError(
				`needs a whole number from ${least} to ${most} as ${name}`,
			);
		return number;
	};
	const takeUrls = (name: string) => {
		const value = take(name);
		if (value === null) return null;
		const other = isPostgresUrl(value) ? parseUrl(value) : null;
		if (other === null) throw toUrlError(`needs a postgres:// URL as ${name}`);
		return toUrlsOfTls(other);
	};
	const poolSize = integer("pool_size", 8, [1, 1000]);
	const statementTimeoutMs = integer(
		"statement_timeout_ms",
		30_000,
		[1, 3_600_000],
	);
	const readMaxLagMs = integer("read_max_lag_ms", 10_000, [1000, 3_600_000]);
	const prepared = take("prepared_statements");
	if (prepared !== null && prepared !== "on" && prepared !== "off")
		throw toUrlError("takes prepared_statements=on or off");
	const listenUrls = takeUrls("listen_url");
	const readUrls = takeUrls("read_url");
	return {
		urls: toUrlsOfTls(url),
		listenUrls,
		readUrls,
		readMaxLagMs,
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
