// The subpath `@partnerwire/receiver/postgres`.
export type {
	PgLike,
	PostgresClientLike,
	PostgresJsLike,
} from "./postgres-client.ts";
export {
	type PostgresStore,
	type PostgresStoreOptions,
	postgresStore,
	postgresStoreSchema,
} from "./postgres-dedup.ts";
export {
	type PostgresInboxOptions,
	postgresInbox,
	postgresInboxSchema,
} from "./postgres-inbox.ts";
