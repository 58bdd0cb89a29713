import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { seedCompany } from "@partnerwire/core";
import { openService, readSeed } from "partnerwire";
import { expect, onTestFinished, test } from "vitest";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const LEADS = 300;

test("two workers on one database file never make the same attempt twice", async () => {
	const receiver = await openCountingReceiver();
	const database = join(createTempFolder(), "test.db");
	const options = { database, allowHttp: true, allowPrivate: true };
	const faults: unknown[] = [];
	const onFault = (error: unknown) => faults.push(error);
	const one = await openService({ ...options, onFault });
	const two = await openService({ ...options, onFault });
	onTestFinished(async () => {
		await Promise.all([one.close(), two.close()]);
	});
	const { keys } = await one.store.write((db) =>
		seedCompany(db, readSeed(), Date.now()),
	);
	const caller = await one.core.authenticate(keys.full);
	if (!caller) throw new Error("the seed's key is not valid");
	await one.core.execute(
		"createIntegration",
		{ body: { label: randomUUID(), webhook_url: receiver.url } },
		caller,
	);
	const [partner] = (await one.core.execute("listPartners", {}, caller)).data;
	const body = { partnership_uuid: partner?.uuid ?? "" };
	await Promise.all(
		Array.from({ length: LEADS }, () =>
			one.core.execute("createLead", { body }, caller),
		),
	);
	one.startWorker();
	two.startWorker();
	await receiver.events(LEADS);
	expect(receiver.counts()).toEqual({ events: LEADS, requests: LEADS });
	await expect
		.poll(async () => {
			const ledger = await two.core.execute("getWebhookLedger", {}, caller);
			return ledger.data[0];
		})
		.toMatchObject({ delivered: LEADS, matched: LEADS, balanced: true });
	expect(faults).toEqual([]);
});
