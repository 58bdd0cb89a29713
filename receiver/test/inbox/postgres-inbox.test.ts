import { postgresInbox } from "@partnerwire/receiver/postgres";
import { describeInboxStore } from "@partnerwire/receiver/testing";
import postgres from "postgres";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openPostgres } from "#kit/database/postgres.ts";

let server: Awaited<ReturnType<typeof openPostgres>>;
let sql: postgres.Sql;
beforeAll(async () => {
	server = await openPostgres();
	sql = postgres(server.url, { onnotice: () => {} });
});
afterAll(async () => {
	await sql?.end();
	await server?.close();
});

let tables = 0;
const newTable = () => `inbox_${++tables}`;

describeInboxStore(
	"postgres, by pg and by postgres.js",
	(clock) => {
		const o = { table: newTable(), clock: clock.now };
		return {
			store: postgresInbox(server.pool, o).store,
			peer: postgresInbox(sql, o).store,
		};
	},
	{ describe, it },
);
