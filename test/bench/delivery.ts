import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import type { Calls as SinkCalls } from "./children/sink.ts";
import { openChild } from "./kit/child.ts";
import { type DeliveryCalls, expectArrivals } from "./kit/delivery-load.ts";
import { expect } from "./kit/expect.ts";
import type { Part } from "./kit/report.ts";
import {
	type Contender,
	medianRatio,
	runRounds,
	showRates,
} from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

/** The number of integrations in our second run, each of a company of its own. */
export const MANY = 100;

/**
 * Compares deliveries per second, from the event to its stored result, with a bare undici loop and with a hand-written durable loop.
 * Each runs in a process of its own, and all post to the same receiver process.
 */
export const benchDelivery: Part = (options) =>
	inTempFolder(async (folder) => {
		const sink = openChild<SinkCalls>("./children/sink.ts");
		const processes = {
			ours: openChild<DeliveryCalls>("./children/delivery-ours.ts"),
			many: openChild<DeliveryCalls>("./children/delivery-ours.ts"),
			bare: openChild<DeliveryCalls>("./children/delivery-bare.ts"),
			durable: openChild<DeliveryCalls>("./children/delivery-durable.ts"),
		};
		try {
			const origin = await sink.call("listen", undefined);
			for (const [name, process] of Object.entries(processes)) {
				const own = join(folder, name);
				mkdirSync(own);
				const integrations = name === "many" ? MANY : 1;
				await process.call("open", { folder: own, origin, integrations });
			}
			const totals = { ours: 0, many: 0, bare: 0, durable: 0 };
			const delivering =
				(name: keyof typeof processes): Contender =>
				async (seconds) => {
					const done = await processes[name].call("run", seconds);
					await expectArrivals(sink, done.delivered);
					totals[name] += done.delivered;
					return done.delivered / done.seconds;
				};
			const { ours, many, bare, durable } = await runRounds(
				{
					ours: delivering("ours"),
					many: delivering("many"),
					bare: delivering("bare"),
					durable: delivering("durable"),
				},
				options,
			);
			for (const name of ["ours", "many"] as const)
				expectStored(
					join(folder, name, "ours.db"),
					"'delivered'",
					totals[name],
				);
			expectStored(join(folder, "durable", "durable.db"), "2", totals.durable);
			return {
				delivery_ratio: medianRatio(ours, bare),
				delivery_durable_ratio: medianRatio(ours, durable),
				delivery_many_ratio: medianRatio(many, bare),
				delivery_many_durable_ratio: medianRatio(many, durable),
				rows: [
					{ name: "bare undici loop", value: showRates(bare) },
					{ name: "hand-written durable loop", value: showRates(durable) },
					{ name: "our outbox and worker", value: showRates(ours) },
					{ name: `the same, ${MANY} integrations`, value: showRates(many) },
				],
			};
		} finally {
			const children = [sink, ...Object.values(processes)];
			await Promise.all(children.map((child) => child.close()));
		}
	});

/** Checks that every delivery and its attempt is in the database. */
export function expectStored(
	path: string,
	state: string,
	delivered: number,
): void {
	const db = new Database(path, { readonly: true });
	try {
		for (const sql of [
			`select count(*) from delivery where state = ${state}`,
			"select count(*) from attempt",
		]) {
			const rows = db.prepare(sql).pluck().get();
			expect(
				rows === delivered,
				`${delivered} deliveries, but ${rows}: ${sql}`,
			);
		}
	} finally {
		db.close();
	}
}
