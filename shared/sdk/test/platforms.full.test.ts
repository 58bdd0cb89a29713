/* The packed SDK in each runtime: its suites, and a program that calls a real service. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { RUNTIMES, runSuites } from "#kit/platforms/runtimes.ts";
import { startDemoService } from "#kit/program/demo-service.ts";
import { installPacked } from "#kit/program/install-packed.ts";
import { SDK_PROGRAM, SDK_RESULT } from "#kit/program/sdk-program.ts";
import { createTempFolder } from "#kit/temp-folder.ts";

let project = "";
beforeAll(async () => {
	project = await installPacked(["@partnerwire/sdk"]);
}, 300_000);

/** A server that redirects every request to the list of leads. Gives its address. */
async function startRedirecting(serviceUrl: string): Promise<string> {
	const location = `${serviceUrl}/v1/leads`;
	const server = createServer((_, response) => {
		response.writeHead(302, { location }).end();
	});
	await once(server.listen(0, "127.0.0.1"), "listening");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

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
		const moved = await startRedirecting(url);
		const input = { baseUrl: url, apiKey: keys.full, moved };
		expect(await runtime.call(project, SDK_PROGRAM, input)).toEqual(SDK_RESULT);
	});
});
