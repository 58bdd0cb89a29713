import { createClient } from "@partnerwire/sdk";
import { expect, test } from "vitest";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import { FLOODS, type Flood, listenFlood } from "../kit/endpoints/floods.ts";
import { startDemoService } from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/** Far longer than they take: this only checks that nothing hangs. */
const HANG_MS = 5_000;
const FLOODERS = 40;
const floodOf = (what: string) =>
	FLOODS.find((flood) => flood.what === what) as Flood;

test("forty probes and tests of receivers that flood hold up neither the API nor a test of a healthy integration", async () => {
	const receiver = await openCountingReceiver();
	const interim = await listenFlood(floodOf("interim answers"));
	const extension = await listenFlood(floodOf("a chunk's extension"));
	const { url, keys, client } = await startDemoService(createTempFolder());
	// A refusal because of too many at once counts as an answer here. It is not retried.
	const impatient = createClient({
		baseUrl: url,
		apiKey: keys.full,
		retries: 0,
	});
	const create = async (webhook_url: string) =>
		(await client.createIntegration({ body: { label: "CRM", webhook_url } }))
			.id;
	const healthy = await create(receiver.url);
	const flooded = await create(extension.url);
	const runTest = (integration_id: string) =>
		impatient.testIntegration({
			params: { integration_id },
			body: { event_id: "lead_created" },
		});
	expect((await runTest(flooded)).failure?.class).toBe("answer_too_large");

	const floods = Promise.allSettled(
		Array.from({ length: FLOODERS }, (_, index) =>
			index % 4 === 3
				? runTest(flooded)
				: impatient.probeWebhookUrl({ body: { webhook_url: interim.url } }),
		),
	);
	const startedAt = performance.now();
	const [account, tested] = await Promise.all([
		client.getAccount(),
		runTest(healthy),
	]);
	expect(performance.now() - startedAt).toBeLessThan(HANG_MS);
	expect(account.uuid).toBeTypeOf("string");
	expect(tested.delivered).toBe(true);

	const outcomes = await floods;
	expect(performance.now() - startedAt).toBeLessThan(4 * HANG_MS);
	for (const outcome of outcomes) {
		if (outcome.status === "rejected")
			expect(outcome.reason).toMatchObject({ code: "rate_limit_exceeded" });
		else if ("checks" in outcome.value)
			expect(outcome.value.checks.at(-1)).toMatchObject({
				name: "answer",
				ok: false,
				advice: expect.stringContaining("16 interim"),
			});
		else expect(outcome.value.failure?.class).toBe("answer_too_large");
	}
});
