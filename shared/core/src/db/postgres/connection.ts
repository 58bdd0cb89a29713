import { createHash } from "node:crypto";
import { drizzle } from "drizzle-orm/pg-proxy";
import pg from "pg";
import type { Random } from "../../values/random.ts";
import type {
	Db,
	Execute,
	PostgresStatements,
	Preparable,
	Query,
	Values,
} from "../db.ts";
import { postgresDialect } from "../dialect.ts";
import { compileQuery, type RunStatement } from "./compile.ts";
import { tables } from "./schema.ts";

const { builtins } = pg.types;
const asText = (text: string) => text;
/** 64-bit integers and their sums stay far below 2^53 here. JSON is parsed by Drizzle's columns. */
const PARSERS: Readonly<Record<number, (text: string) => unknown>> = {
	[builtins.INT8]: Number,
	[builtins.NUMERIC]: Number,
	[builtins.JSON]: asText,
	[builtins.JSONB]: asText,
};
const types = {
	getTypeParser: (id: number, format?: "text" | "binary") =>
		(format !== "binary" && PARSERS[id]) || pg.types.getTypeParser(id, format),
} as pg.CustomTypesConfig;

/** Runs statements: a pool, or one of its clients. */
export type Runner = Pick<pg.Pool, "query"> | Pick<pg.PoolClient, "query">;

export interface ConnectionOptions {
	/** Keeps statements prepared on the server, by name. */
	readonly prepared: boolean;
	readonly random: Random;
}

const named = new Map<string, string>();

/**
 * The name under which a connection keeps a statement. It ends in the text's hash: two versions of Partnerwire behind one
 * pooler then never mean different statements by one name.
 */
function toName(name: string, text: string): string {
	const known = named.get(text);
	if (known) return known;
	const hash = createHash("sha256").update(text).digest("hex");
	const made = `${name.slice(0, 40)}_${hash.slice(0, 16)}`;
	named.set(text, made);
	return made;
}

/** Creates the `Db` of a pool or of one client. */
export function createPostgresDb(
	runner: Runner,
	{ prepared, random }: ConnectionOptions,
): Db {
	const run: RunStatement = async (text, values, name) => {
		const { rows } = await runner.query({
			text,
			values,
			rowMode: "array",
			types,
			...(prepared && name && { name: toName(name, text) }),
		});
		return rows;
	};
	const query = drizzle(async (text, params) => ({
		rows: await run(text, params),
	}));
	const runStatement: PostgresStatements = async (name, text, values) => {
		const { rows } = await runner.query({
			text,
			values,
			types,
			...(prepared && name && { name: toName(name, text) }),
		});
		return rows;
	};
	function prepare<Result>(
		name: string,
		built: Preparable<Result>,
		defaults: Values,
	): Execute<Result> {
		const execute = compileQuery(name, built, run, defaults);
		return async (values) => (await execute(values)) as Result;
	}
	return {
		// The two engines' builders have the same shape but nominally different types.
		query: query as unknown as Query,
		tables,
		dialect: postgresDialect,
		random,
		postgres: runStatement,
		prepare,
	};
}
