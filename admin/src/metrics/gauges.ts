import { type Core, readGauges, type Store } from "@partnerwire/core";
import type { WorkerLoad } from "@partnerwire/dispatcher/worker";
import { Gauge, type Registry } from "prom-client";

/** The parts of a service that the gauges are read from. */
export interface Watched {
	readonly core: Core;
	readonly store: Store;
	readonly workerLoad: () => WorkerLoad;
}

/** The gauges of the queue and of this process's workers. The queue's are the same in every process: they count the database. */
export function createGauges(registers: Registry[]) {
	const gauge = (name: string, help: string, ...labelNames: string[]) =>
		new Gauge({ registers, name: `partnerwire_${name}`, help, labelNames });

	const queue = gauge(
		"queue_deliveries",
		"Unfinished deliveries: pending (active integrations), held (paused ones), delivering (of both, under way)",
		"state",
	);
	const age = gauge(
		"queue_oldest_due_age_seconds",
		"For how long the delivery that has been due for longest has been due; a planned retry is not due",
		"state",
	);
	const integrations = gauge(
		"integrations",
		"Integrations that are not deleted",
		"status",
	);
	const attempts = gauge(
		"attempts_24h",
		"Attempts of all processes in the last 24 hours",
		"outcome",
	);
	const matched = gauge(
		"events_matched",
		"Events that integrations have matched, ever: the newest numbers of their deliveries",
	);
	const purged = gauge(
		"deliveries_purged",
		"Deliveries that were removed, ever",
	);
	const replays = gauge("replays_running", "Replays that have not ended");
	const inFlight = gauge(
		"worker_in_flight",
		"Attempts under way in this process",
	);
	const claimed = gauge(
		"worker_claimed",
		"Deliveries that this process has claimed and not begun",
	);
	const concurrency = gauge(
		"worker_concurrency",
		"Attempts that this process may have under way",
	);

	const replicaServes = gauge(
		"read_replica_serving",
		"Whether the read replica answers lists of this process: 1 or 0; 0 too if there is none",
	);
	const staleness = gauge(
		"read_replica_staleness_seconds",
		"For how long at most changes may be missing in the read replica; 0 if there is none",
	);

	let watched: Watched | undefined;
	return {
		watch(service: Watched): void {
			watched = service;
		},
		async refresh(): Promise<void> {
			if (!watched) return;
			const nowMs = watched.core.clock();
			const read = await watched.store.readSnapshot((db) =>
				readGauges(db, nowMs),
			);
			const ageOf = (dueAt: number | null) =>
				dueAt === null ? 0 : (nowMs - dueAt) / 1000;
			for (const state of ["pending", "held"] as const) {
				queue.set({ state }, read.unfinished[state]);
				age.set({ state }, ageOf(read.oldestDueAt[state]));
			}
			queue.set({ state: "delivering" }, read.delivering);
			for (const status of ["active", "paused"] as const)
				integrations.set({ status }, read.integrations[status]);
			for (const outcome of ["delivered", "failed"] as const)
				attempts.set({ outcome }, read.attempts[outcome]);
			matched.set(read.matched);
			purged.set(read.purged);
			replays.set(read.replaysRunning);
			const { replica } = watched.store;
			replicaServes.set(replica?.serves() ? 1 : 0);
			staleness.set((replica?.stalenessMs() ?? 0) / 1000);
			const load = watched.workerLoad();
			inFlight.set(load.inFlight);
			claimed.set(load.waiting);
			concurrency.set(load.concurrency);
		},
	};
}
