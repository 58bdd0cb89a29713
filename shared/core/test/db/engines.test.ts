import { afterEach, expect, inject, test, vi } from "vitest";
import { engineOf, newDatabase } from "#kit/database/database.ts";
import { openTestCore } from "#kit/database/open-core.ts";
import reportEngines from "#kit/engines.ts";

afterEach(() => {
	vi.unstubAllEnvs();
});

/** The line that the run would report if these were all its tests. */
async function reportOf(run: () => Promise<unknown>): Promise<string> {
	// The environment of the run is restored after the test.
	vi.stubEnv("PARTNERWIRE_TEST_ENGINES", "");
	const log = vi.spyOn(console, "log").mockReturnValue();
	const end = reportEngines();
	await run();
	end();
	const report = log.mock.lastCall?.[0];
	log.mockRestore();
	return report;
}

const ENGINE = {
	sqlite: /^SQLite 3\.[\d.]+$/,
	postgres: /^PostgreSQL \d+[\d.]+$/,
};

test("a test that got a database is reported with the engine and the project, also when another had the database before", async () => {
	await (await openTestCore()).close();
	const report = await reportOf(newDatabase);
	const [, engine, project] =
		/^Engines that ran: (.*) \((.*)\)$/.exec(report) ?? [];
	expect(engine).toMatch(ENGINE[engineOf()]);
	expect(project).toBe(inject("project"));
});

test("what is started outside of all workers, by a global set-up, is not", async () => {
	const report = await reportOf(() => {
		vi.stubEnv("VITEST_WORKER_ID", undefined);
		return newDatabase();
	});
	expect(report).toBe("Engines that ran: none");
});
