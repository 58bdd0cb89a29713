import { seedCompany } from "@partnerwire/core";
import { openService, readSeed } from "partnerwire";
import { expect, test } from "vitest";
import { newDatabase } from "../kit/database/database.ts";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";

const MINUTE_MS = 60_000;
const LEADS = 60;

test("workers whose clocks are a minute apart deliver everything once: leases go by the database's clock", async () => {
	const receiver = await openCountingReceiver();
	const database = await newDatabase();
	const faults: unknown[] = [];
	const open = (offMs: number) =>
		openService({
			database,
			secretKey: "ab".repeat(32),
			allowHttp: true,
			allowPrivate: true,
			clock: () => Date.now() + offMs,
			onFault: (error) => faults.push(error),
		});
	const services = [
		await open(-MINUTE_MS),
		await open(0),
		await open(MINUTE_MS),
	];
	const [behind, right, ahead] = services as [
		(typeof services)[0],
		(typeof services)[0],
		(typeof services)[0],
	];
	const { keys } = await right.store.write((db) =>
		seedCompany(db, readSeed(), Date.now()),
	);
	const caller = await right.core.authenticate(keys.full);
	if (!caller) throw new Error("the seed's key is not valid");
	await right.core.execute(
		"createIntegration",
		{ body: { label: "CRM", webhook_url: receiver.url } },
		caller,
	);
	const [partner] = (await right.core.execute("listPartners", {}, caller)).data;
	const body = { partnership_uuid: partner?.uuid ?? "" };
	for (const service of services) service.startWorker();
	for (let count = 0; count < LEADS; count++)
		await [behind, right][count % 2]?.core.execute(
			"createLead",
			{ body },
			caller,
		);
	await receiver.events(LEADS);
	await expect
		.poll(async () => {
			const ledger = await ahead.core.execute("getWebhookLedger", {}, caller);
			return ledger.data[0];
		})
		.toMatchObject({ delivered: LEADS, matched: LEADS, balanced: true });
	expect(receiver.counts()).toEqual({ events: LEADS, requests: LEADS });
	await Promise.all(services.map((service) => service.close()));
	expect(faults).toEqual([]);
});
