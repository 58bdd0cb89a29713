import { sqliteKit } from "../kit.sqlite.ts";
import { defineTables } from "../tables.ts";

/** The tables on SQLite, from which drizzle-kit generates the migrations. */
export const tables = defineTables(sqliteKit);
