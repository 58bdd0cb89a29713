/* The token vectors of the fixtures, as requests: the receiver's verdict is that of the vector. */
import { createReceiver } from "@partnerwire/receiver";
import { expect, test } from "vitest";
import leadCreated from "../../fixtures/events/lead_created.json" with {
	type: "json",
};
import fixtures from "../../fixtures/tokens.json" with { type: "json" };

test.each(fixtures.vectors)("$name", async (vector) => {
	const receiver = createReceiver({
		secret: vector.secret,
		clock: () => vector.now * 1000,
		log: () => {},
	}).on("*", () => {});
	const answer = await receiver.fetch(
		new Request("http://receiver.example/", {
			method: "POST",
			headers: {
				authorization: `Bearer ${vector.token}`,
				"content-type": "application/json",
			},
			body: vector.body ?? JSON.stringify(leadCreated),
		}),
	);
	const { error } = (await answer.json()) as { error?: { code: string } };
	expect([
		answer.status === 200 ? "accept" : "reject",
		error?.code ?? null,
	]).toEqual([vector.verdict, vector.reason]);
});
