import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDemoService } from "../kit/program/demo-service.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/operating.md"), "utf8");
const lines = [...page.matchAll(/```sh\n(.*?)```/gs)].flatMap(([, block]) =>
	(block as string).trim().split("\n"),
);

test("the commands of the page run as they stand", async () => {
	const { client, url, keys } = await startDemoService(createTempFolder());
	const { id } = await client.createIntegration({
		body: { label: "CRM", webhook_url: "http://127.0.0.1:9/hook" },
	});
	expect(lines.length).toBeGreaterThan(5);
	const env = { PARTNERWIRE_API_KEY: keys.full, PARTNERWIRE_URL: url };
	for (const line of lines) {
		const [program, ...words] = line.replaceAll("$INTEGRATION", id).split(" ");
		expect(program).toBe("partnerwire");
		const { code, stderr } = await runPartnerwire(words, { env });
		expect([code, stderr], line).toEqual([0, ""]);
	}
});
