import type { Caller } from "@partnerwire/core";
import type { Calls as HoleCalls } from "./children/holes.ts";
import type { Calls as SinkCalls } from "./children/sink.ts";
import { openChild } from "./kit/child.ts";
import { addTenant, emit, openCompany, type Tenant } from "./kit/company.ts";
import { expect } from "./kit/expect.ts";
import type { Part } from "./kit/report.ts";
import { median, showRates } from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

/** The number of integrations with healthy endpoints, and the number of those with dead ones. */
const OF_EACH = 50;
/** The number of events that wait for each dead endpoint and are never delivered. */
const DEAD_BACKLOG = 100;
const EMITTED_TOGETHER = 128;
const BACKLOG = 512;

/**
 * Measures how much of their throughput healthy integrations keep beside endpoints that hang or drip, with the default limits. They
 * are measured alone (the dead ones are paused) before and after a run beside them.
 */
export const benchNeighbour: Part = ({ quick }) =>
	inTempFolder(async (folder) => {
		const { alone, beside } = quick
			? { alone: 1.5, beside: 4 }
			: { alone: 20, beside: 60 };
		const sink = openChild<SinkCalls>("./children/sink.ts");
		const holes = openChild<HoleCalls>("./children/holes.ts");
		let arrived = 0;
		let onArrival = () => {};
		const company = await openCompany(folder, "http://127.0.0.1:9/unused", {
			onAttempt(_delivery, { delivered }) {
				if (!delivered) return;
				arrived++;
				onArrival();
			},
		});
		const { service } = company;
		try {
			const good = `${await sink.call("listen", undefined)}/hook`;
			const bad = await holes.call("listen", undefined);
			const healthy: Tenant[] = [];
			const dead: Tenant[] = [];
			for (let made = 0; made < OF_EACH; made++) {
				healthy.push(await addTenant(service, good));
				const path = made % 2 === 0 ? "hole" : "drip";
				dead.push(await addTenant(service, `${bad}/${path}`));
			}
			const switchDead = async (
				id: "pauseIntegration" | "resumeIntegration",
			) => {
				for (const { caller, integrationId } of dead) {
					const params = { integration_id: integrationId };
					await service.core.execute(id, { params, body: {} } as never, caller);
				}
			};
			await switchDead("pauseIntegration");
			for (const { caller } of dead)
				await Promise.all(
					Array.from({ length: DEAD_BACKLOG }, () => emit(service, caller)),
				);

			/** Emits events of the healthy ones as fast as they are delivered. Returns deliveries per second. */
			const run = async (seconds: number): Promise<number> => {
				const startedAt = performance.now();
				const before = arrived;
				let emitted = before;
				const below = (count: number) =>
					new Promise<void>((resolve) => {
						onArrival = () => {
							if (emitted - arrived < count) resolve();
						};
						onArrival();
					});
				while (performance.now() - startedAt < seconds * 1000) {
					const emissions = Array.from({ length: EMITTED_TOGETHER }, () => {
						const { caller } = healthy[emitted++ % OF_EACH] as {
							caller: Caller;
						};
						return emit(service, caller);
					});
					await Promise.all(emissions);
					service.store.wake();
					await below(BACKLOG);
				}
				await below(1);
				return (arrived - before) / ((performance.now() - startedAt) / 1000);
			};

			const worker = service.startWorker();
			await run(alone / 2);
			const before = await run(alone);
			await switchDead("resumeIntegration");
			const during = await run(beside);
			const attempted = worker.load().inFlight;
			await switchDead("pauseIntegration");
			const after = await run(alone);
			expect(attempted >= OF_EACH / 2, "the dead ones were not attempted");
			const rates = [before, after];
			return {
				noisy_neighbour_ratio: during / median(rates),
				rows: [
					{ name: `${OF_EACH} healthy, alone`, value: showRates(rates) },
					{
						name: `beside ${OF_EACH} dead ones, ${beside} s`,
						value: showRates([during]),
					},
				],
			};
		} finally {
			await Promise.all([holes.close(), sink.close()]);
			await service.close();
		}
	});
