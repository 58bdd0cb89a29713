import { postgresKit } from "../kit.postgres.ts";
import { defineTables } from "../tables.ts";

/** The tables on PostgreSQL, from which drizzle-kit generates the migrations. */
export const tables = defineTables(postgresKit);
