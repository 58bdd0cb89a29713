import { postgresStore } from "@partnerwire/receiver/postgres";
import { describeDedupStore } from "@partnerwire/receiver/testing";
import pg from "pg";
import { afterAll, beforeAll, describe, it } from "vitest";
import { openPostgres } from "#kit/database/postgres.ts";
import { describeOutages } from "../helpers/outage-suite.ts";
import { newSpace } from "../helpers/shared-store-suite.ts";

let server: Awaited<ReturnType<typeof openPostgres>>;
beforeAll(async () => {
	server = await openPostgres();
});
afterAll(() => server?.close());

describeOutages(["pg", "postgres.js"], () => server);

describeDedupStore(
	"a new connection for each statement, as PgBouncer may give",
	(clock) => ({
		store: postgresStore(
			{
				async query(text: string, values: unknown[]) {
					const client = new pg.Client(server.address);
					await client.connect();
					try {
						return await client.query(text, values);
					} finally {
						await client.end();
					}
				},
			},
			{ table: newSpace(), clock: clock.now },
		),
	}),
	{ describe, it },
);
