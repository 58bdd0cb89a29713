/* The packed SDK in each runtime: its suites, and a program that calls a real service. */
import { beforeAll, describe, expect, test } from "vitest";
import { RUNTIMES, runSuites } from "#kit/platforms/runtimes.ts";
import { startDemoService } from "#kit/program/demo-service.ts";
import { installPacked } from "#kit/program/install-packed.ts";
import { SDK_PROGRAM, SDK_RESULT } from "#kit/program/sdk-program.ts";
import { createTempFolder } from "#kit/temp-folder.ts";

let project = "";
beforeAll(async () => {
	project = await installPacked(["@partnerwire/sdk"]);
}, 300_000);

describe.each(RUNTIMES)("$name", (runtime) => {
	test("the SDK's suites", async () => {
		const { passed, failures } = await runSuites(runtime, project, [
			"shared/sdk/test/client.test.ts",
			"shared/sdk/test/pages.test.ts",
		]);
		expect(failures).toEqual([]);
		expect(passed).toBeGreaterThan(15);
	});

	test("a program calls a real service", async () => {
		const { url, keys } = await startDemoService(createTempFolder());
		const input = { baseUrl: url, apiKey: keys.full };
		expect(await runtime.call(project, SDK_PROGRAM, input)).toEqual(SDK_RESULT);
	});
});
