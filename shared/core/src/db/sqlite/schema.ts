import { sqliteKit } from "../kit.sqlite.ts";
import { defineTables } from "../tables.ts";

/** The tables on SQLite; each is exported by name for drizzle-kit, which generates the migrations. */
export const tables = defineTables(sqliteKit);
