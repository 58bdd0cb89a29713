/**
 * A second name for a table in one query. SQLite's version is a plain proxy around the table, so it serves both
 * engines.
 */
export { alias } from "drizzle-orm/sqlite-core";
