import { createReceiver } from "@partnerwire/receiver";
import {
	createTestClock,
	signedRequest,
	TEST_SECRET,
	tamper,
} from "@partnerwire/receiver/testing";
import { describe, expect, test } from "vitest";

const clock = createTestClock();

describe("tamper", () => {
	test("each way of spoiling a token is 401", async () => {
		const receiver = createReceiver({
			secret: TEST_SECRET,
			clock: clock.now,
			log: () => {},
		});
		const request = await signedRequest({ clock: clock.now });
		const good = request.clone();
		const forgedClaims = (token: string) =>
			tamper.claims(token, { event_id: "deal_created" });
		for (const change of [
			tamper.signature,
			tamper.nonCanonical,
			tamper.padded,
			tamper.truncated,
			tamper.unsigned,
			(token: string) => tamper.alg(token),
			forgedClaims,
		])
			expect(
				(await receiver.fetch(tamper.request(request.clone(), change))).status,
			).toBe(401);
		const token = (good.headers.get("authorization") ?? "").slice(7);
		const crit = await tamper.header(token, {
			alg: "HS256",
			crit: ["x"],
			x: 1,
		});
		expect(
			(await receiver.fetch(tamper.request(request.clone(), () => crit)))
				.status,
		).toBe(401);
		expect((await receiver.fetch(good)).status).toBe(200);
	});
});
