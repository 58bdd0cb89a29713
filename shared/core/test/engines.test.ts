import { afterEach, expect, inject, test, vi } from "vitest";
import reportEngines from "../../../test/support/engines.ts";
import { engineOf, newDatabase } from "./support/database.ts";
import { openTestCore } from "./support/open-core.ts";

afterEach(() => {
	vi.unstubAllEnvs();
});

/** What the run would say if these were all its tests. */
async function reportOf(run: () => Promise<unknown>): Promise<string> {
	// The run's own folder is put back after the test.
	vi.stubEnv("PARTNERWIRE_TEST_ENGINES", "");
	const log = vi.spyOn(console, "log").mockReturnValue();
	const end = reportEngines();
	await run();
	end();
	const told = log.mock.lastCall?.[0];
	log.mockRestore();
	return told;
}

const ENGINE = {
	sqlite: /^SQLite 3\.[\d.]+$/,
	postgres: /^PostgreSQL \d+[\d.]+$/,
};

test("a test that got a database is reported with the engine and the project, also when another had the database before", async () => {
	await (await openTestCore()).close();
	const told = await reportOf(newDatabase);
	const [, engine, project] =
		/^Engines that ran: (.*) \((.*)\)$/.exec(told) ?? [];
	expect(engine).toMatch(ENGINE[engineOf()]);
	expect(project).toBe(inject("project"));
});

test("what is started outside of all workers, by a global set-up, is not", async () => {
	const told = await reportOf(() => {
		vi.stubEnv("VITEST_WORKER_ID", undefined);
		return newDatabase();
	});
	expect(told).toBe("Engines that ran: none");
});
