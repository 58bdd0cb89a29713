import { postgresKit } from "../kit.postgres.ts";
import { defineTables } from "../tables.ts";

/** The tables on PostgreSQL; each is exported by name for drizzle-kit, which generates the migrations. */
export const tables = defineTables(postgresKit);
