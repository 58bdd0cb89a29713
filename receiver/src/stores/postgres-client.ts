import { ReceiverConfigError } from "../common/config-error.ts";
import { surviveErrors } from "./survive-errors.ts";

/** Your own client of `pg`: a `Pool`, or a connected `Client` that is used for nothing else. */
export interface PgLike {
	query(text: string, values: unknown[]): Promise<{ rows: unknown[] }>;
}

/** Your own client of postgres.js: what `postgres(url)` returns. */
export interface PostgresJsLike {
	// biome-ignore lint/suspicious/noExplicitAny: its parameter type follows from the client's own type map
	unsafe(text: string, values: any[]): PromiseLike<readonly unknown[]>;
}

/** One of the two drivers' clients. */
export type PostgresClientLike = PgLike | PostgresJsLike;

/** Runs one statement; its rows. */
export type Query = <Row>(text: string, values: unknown[]) => Promise<Row[]>;

const refuse = (message: string): never => {
	throw new ReceiverConfigError("CONFIG_STORE", message);
};

/** One way to ask either driver. Every statement stands alone, so that PgBouncer may change the connection after each. */
export function toQuery(client: PostgresClientLike, who: string): Query {
	// postgres.js is a function with members, and has no `query`.
	if (typeof (client as PostgresJsLike)?.unsafe === "function")
		return async (text, values) =>
			Array.from(
				await (client as PostgresJsLike).unsafe(text, values),
			) as never;
	if (typeof (client as PgLike)?.query !== "function")
		refuse(
			`${who}: give it a client of pg (a Pool) or of postgres (postgres.js).`,
		);
	surviveErrors(client);
	return async (text, values) =>
		(await (client as PgLike).query(text, values)).rows as never;
}

/** Checks a table name, and quotes it: `name` or `schema.name`. The longest name leaves room for those of its indexes. */
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

/** A quoted name with something at its end. */
export const withSuffix = (quoted: string, suffix: string): string =>
	`${quoted.slice(0, -1)}_${suffix}"`;

/** A quoted name without its schema: an index is always in its table's. */
export const withoutSchema = (quoted: string): string =>
	quoted.slice(quoted.lastIndexOf(".") + 1);

/** A parameter's milliseconds, or if it is null the server's own clock. */
export const nowOr = (parameter: string): string =>
	`coalesce(${parameter}::bigint, (extract(epoch from clock_timestamp()) * 1000)::bigint)`;

/**
 * What makes a schema once, however many processes begin at the same time: `create … if not exists` alone can fail in two at once, and
 * needs the right to create even where there is nothing to do.
 */
export function toSetup(exists: string, statements: string): string {
	return `do $setup$ begin
	if ${exists} then return; end if;
	perform pg_advisory_xact_lock(hashtextextended('partnerwire receiver', 0));
${statements}
end $setup$`;
}

/** Runs the setup before the first statement, once; after a failure the next statement tries again. */
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
