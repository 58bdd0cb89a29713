import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { openReceiver } from "../support/receiver.ts";
import { type OpenEmulator, openEmulator } from "./support.ts";

type Request = (
	emulator: OpenEmulator,
	number: number,
	gone: string,
) => Promise<object>;
const REQUESTS: Record<string, Request> = {
	"a partner, told to all": ({ client }, number) =>
		client.createPartner({
			body: { name: `Partner ${number}`, partner_type: "referral" },
		}),
	"an integration that is paused at its first event": ({ client }, _, gone) =>
		client.createIntegration({ body: { label: "Gone", webhook_url: gone } }),
	"an integration": (emulator) => emulator.connect(),
	"a replay, which makes new deliveries": async ({ client }) => {
		const all = await client.listIntegrations();
		const [oldest] = all.data.filter(({ label }) => label === "CRM").reverse();
		if (!oldest) return {};
		return client.createWebhookReplay({
			body: {
				integration_id: oldest.id,
				fresh: true,
				statuses: ["delivered", "pending"],
			},
		});
	},
	"an API key": ({ client }) =>
		client.createApiKey({ body: { label: "More", read: true, write: false } }),
};

/** The members of answers that come from the seeded source. */
const DRAWN = ["uuid", "id", "integration_uuid", "key"] as const;

/** Does the requests one after the other, in a world of its own, where so much time goes by before each. */
async function drawIds(
	emulator: OpenEmulator,
	requests: readonly string[],
	gaps: readonly number[],
	gone: string,
): Promise<unknown[]> {
	await emulator.reset();
	const drawn: unknown[] = [];
	for (const [number, name] of requests.entries()) {
		const gap = gaps[number % gaps.length] ?? 0;
		if (gap > 0) await emulator.clock.advance(gap);
		const answer = await REQUESTS[name]?.(emulator, number, gone);
		const members = answer as Record<string, unknown>;
		drawn.push(DRAWN.map((member) => members[member]));
	}
	return drawn;
}

const requests = fc.array(fc.constantFrom(...Object.keys(REQUESTS)), {
	minLength: 3,
	maxLength: 12,
});
const gaps = fc.array(fc.constantFrom(0, 0, 1, 5000), {
	minLength: 1,
	maxLength: 5,
});

test("the ids, keys and secrets that requests get do not depend on what the dispatcher does meanwhile", async () => {
	const emulator = await openEmulator();
	// It tells whoever sends to it to stop: the service pauses such an integration by itself, and writes that into the audit log.
	const gone = await openReceiver();
	onTestFinished(async () => void (await gone.close()));
	gone.answerWith(410);
	await fc.assert(
		fc.asyncProperty(requests, gaps, gaps, async (asked, some, others) => {
			const drawn = await drawIds(emulator, asked, some, gone.url);
			expect(await drawIds(emulator, asked, others, gone.url)).toEqual(drawn);
		}),
		{
			numRuns: 12,
			examples: [
				[
					[
						"an integration",
						"an integration that is paused at its first event",
						"a partner, told to all",
						"a partner, told to all",
						"a replay, which makes new deliveries",
						"a partner, told to all",
						"an API key",
					],
					[0],
					[5000],
				],
			],
		},
	);
});
