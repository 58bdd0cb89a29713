import { afterAll, beforeAll } from "vitest";
import { openPostgres } from "../../shared/core/test/support/postgres.ts";
import { removeTempFoldersAtEnd } from "../../shared/core/test/support/temp-folder.ts";
import { describeOutages } from "./helpers/outage-suite.ts";

removeTempFoldersAtEnd();
let server: Awaited<ReturnType<typeof openPostgres>>;
beforeAll(async () => {
	server = await openPostgres();
});
afterAll(() => server?.close());

describeOutages(["pg", "postgres.js"], () => server);
