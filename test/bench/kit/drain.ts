// Drains of a full queue: the deliveries are stored before the measurement begins.
import type { Calls as SinkCalls } from "../children/sink.ts";
import { type Child, openChild } from "./child.ts";
import { expectArrivals } from "./delivery-load.ts";
import { DRAINED_INTEGRATIONS, type DrainCalls } from "./drain-load.ts";
import { addDatabase, type Server } from "./on-postgres.ts";
import { meter } from "./postgres-meter.ts";
import type { BenchOptions } from "./report.ts";
import { type Contender, medianRatio, runRounds, showRates } from "./rounds.ts";

/** The deliveries per second that the warm-up assumes. */
const FIRST_RATE = 500;

/** Drains about as many deliveries as the contender delivered in that time before. Every one must arrive once, with its whole body. */
export function draining(
	child: Child<DrainCalls>,
	sink: Child<SinkCalls>,
): Contender {
	let rate = FIRST_RATE;
	return async (seconds) => {
		const rows =
			Math.ceil((rate * seconds) / DRAINED_INTEGRATIONS) * DRAINED_INTEGRATIONS;
		await child.call("fill", rows);
		const took = await child.call("drain", rows);
		await expectArrivals(sink, rows);
		rate = rows / took;
		return rate;
	};
}

/** Deliveries that are stored already, beside a hand-written loop. */
export async function compareDrain(
	folder: string,
	server: Server,
	options: BenchOptions,
) {
	const sink = openChild<SinkCalls>("./children/sink.ts");
	const processes = {
		ours: openChild<DrainCalls>("./children/drain-ours.ts"),
		loop: openChild<DrainCalls>("./children/drain-loop.ts"),
	};
	try {
		const origin = await sink.call("listen", undefined);
		for (const [name, process] of Object.entries(processes)) {
			const database = await addDatabase(server, `drain_${name}`);
			await process.call("open", { folder, origin, database });
		}
		const pids = { service: processes.ours.pid, server: server.pid };
		const used = meter(pids);
		const { ours, loop } = await runRounds(
			{
				ours: used.around(draining(processes.ours, sink)),
				loop: draining(processes.loop, sink),
			},
			options,
		);
		return {
			postgres_delivery_ratio: medianRatio(ours, loop),
			rows: [
				{ name: "stored deliveries, hand-written", value: showRates(loop) },
				{ name: "stored deliveries, ours", value: showRates(ours) },
				{ name: "  processor time of ours", value: used.show() },
			],
		};
	} finally {
		const children = [sink, ...Object.values(processes)];
		await Promise.all(children.map((child) => child.close()));
	}
}
