import type { Receiver } from "@partnerwire/receiver";
import { signedRequest } from "@partnerwire/receiver/testing";
import { expect } from "vitest";

/** Expects that the receiver handles an event once, and answers its copy as a duplicate. */
export async function expectOnce(receiver: Receiver): Promise<void> {
	let runs = 0;
	receiver.on("lead_created", () => {
		runs++;
	});
	const request = await signedRequest({ eventId: "lead_created" });
	const copy = request.clone();
	expect(await (await receiver.fetch(request)).json()).toEqual({
		ok: true,
		handled: true,
	});
	expect(await (await receiver.fetch(copy)).json()).toEqual({
		ok: true,
		duplicate: true,
	});
	expect(runs).toBe(1);
}
