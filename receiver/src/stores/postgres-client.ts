import { ReceiverConfigError } from "../common/config-error.ts";
import { surviveErrors } from "./survive-errors.ts";

/** Your own client of `pg`: a `Pool`, or a connected `Client` that nothing else uses. */
export interface PgLike {
	query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A parameter of a statement. Both drivers take all of these. */
export type Value = string | number | boolean | null;

/** Your own client of postgres.js: the result of `postgres(url)`. */
export interface PostgresJsLike {
	unsafe(text: string, values: Value[]): PromiseLike<readonly unknown[]>;
}

/** One of the two drivers' clients. */
export type PostgresClientLike = PgLike | PostgresJsLike;

/** Runs one statement, and resolves to its rows. */
export type Query = <Row>(text: string, values: Value[]) => Promise<Row[]>;

const refuse = (message: string): never => {
	throw new ReceiverConfigError("CONFIG_STORE", message);
};

/** Makes the same query function from either driver. Each statement stands alone: PgBouncer may change the connection after it. */
export function toQuery(client: PostgresClientLike, who: string): Query {
	// postgres.js is a function with members, and has no `query`.
	if (typeof (client as PostgresJsLike)?.unsafe === "function")
		return async <Row>(text: string, values: Value[]) =>
			Array.from(
				await (client as PostgresJsLike).unsafe(text, values),
			) as Row[];
	if (typeof (client as PgLike)?.query !== "function")
		refuse(
			`${who}: give it a client of pg (a Pool) or of postgres (postgres.js).`,
		);
	surviveErrors(client);
	return async <Row>(text: string, values: Value[]) =>
		(await (client as PgLike).query(text, values)).rows as Row[];
}

/** Checks a table name, `name` or `schema.name`, and quotes it. The limit on its length leaves room for the suffixes of indexes. */
export function quoteTable(table: unknown, who: string): string {
	if (
		typeof table !== "string" ||
		!/^([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,39}$/.test(table)
	)
		refuse(
			`${who}: table must be name or schema.name, in lower-case letters, digits and underscores, the name of at most 40.`,
		);
	return (table as string)
		.split(".")
		.map((part) => `"${part}"`)
		.join(".");
}

/** Adds a suffix to a quoted name. */
export const withSuffix = (quoted: string, suffix: string): string =>
	`${quoted.slice(0, -1)}_${suffix}"`;

/** A quoted name without its schema. An index is always in the schema of its table. */
export const withoutSchema = (quoted: string): string =>
	quoted.slice(quoted.lastIndexOf(".") + 1);

/** The milliseconds of a parameter, or of the server's clock if it is null. */
export const nowOr = (parameter: string): string =>
	`coalesce(${parameter}::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)`;

/**
 * Builds the statement that creates a schema once, also if several processes start at the same time. `create … if not exists` alone can
 * fail if two run at once, and it needs the right to create even if the schema exists.
 */
export function toSetup(exists: string, statements: string): string {
	return `do $setup$ begin
	if ${exists} then return; end if;
	perform pg_advisory_xact_lock(hashtextextended('partnerwire receiver', 0));
${statements}
end $setup$`;
}

/** Runs the setup once, before the first statement. After a failure the next statement tries again. */
export function createSetup(query: Query, setup: string | undefined) {
	let ready: Promise<unknown> | undefined;
	return async function prepare(): Promise<void> {
		if (setup === undefined) return;
		ready ??= query(setup, []);
		try {
			await ready;
		} catch (error) {
			ready = undefined;
			throw error;
		}
	};
}
