import { randomBytes } from "node:crypto";
import { createCipher } from "@partnerwire/core";
import { expect, onTestFinished, test } from "vitest";
import { hold } from "#kit/database/holding.ts";
import {
	addIntegration,
	addPartner,
	openTestCore,
	rowsOf,
} from "#kit/database/open-core.ts";
import { createFakeWire, toResult } from "#kit/endpoints/fake-wire.ts";
import { startWorker } from "../../src/worker/index.ts";

const LEADS = 30;

test("a transaction that holds an integration keeps the results of no other one; its own are kept, and counted once", async () => {
	const key = randomBytes(32);
	const core = await openTestCore({ key });
	onTestFinished(() => core.close());
	const partnership_uuid = await addPartner(core, core.caller);
	for (const label of ["First", "Second"])
		await addIntegration(core, core.caller, {
			label,
			event_ids: ["lead_created"],
		});
	const addLead = () =>
		core.execute("createLead", { body: { partnership_uuid } }, core.caller);
	for (let count = 0; count < LEADS; count++) await addLead();
	let answer = () => {};
	const isHeld = new Promise<void>((resolve) => {
		answer = resolve;
	});
	const wire = createFakeWire(async () => {
		await isHeld;
		return toResult(200, core.clock());
	});
	const faults: unknown[] = [];
	const worker = startWorker({
		store: core.store,
		cipher: createCipher(key),
		wire,
		clock: core.clock,
		pollMs: 20,
		onFault: (fault) => faults.push(fault),
	});
	// Each has an attempt in flight, which is answered while the first integration's row is locked.
	await expect.poll(() => wire.arrivals.length).toBe(2);
	const held = await hold(
		core.path,
		"select id from integration where id = 1 for update",
	);
	answer();
	const delivered = async () => {
		const counts: Record<number, number> = {};
		for (const { integrationId, state } of await rowsOf(core, "delivery"))
			if (state === "delivered")
				counts[integrationId] = (counts[integrationId] ?? 0) + 1;
		return counts;
	};
	await expect.poll(delivered).toEqual({ 2: LEADS });
	await held.release();
	await expect.poll(delivered).toEqual({ 1: LEADS, 2: LEADS });
	await worker.stop();
	expect(wire.arrivals).toHaveLength(2 * LEADS);
	expect(await rowsOf(core, "attempt")).toHaveLength(2 * LEADS);
	expect(faults).toEqual([]);
});
