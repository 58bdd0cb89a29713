import { newUuid } from "@partnerwire/core";
import { emitEvent } from "../../shared/core/dist/outbox/emit-event.js";
import { serveCalls } from "./child.ts";
import { type Company, openCompany } from "./company.ts";
import { type DeliveryCalls, ENTITY } from "./delivery-load.ts";

/** Events emitted together, and deliveries that wait at least: the worker never runs dry. */
const EMITTED_TOGETHER = 128;
const BACKLOG = 256;

/** Our outbox and worker: every event is a write of its own, as a request of the API would make it. */
let company: Company;
let attempts = 0;
let failures = 0;
let onAttempt = () => {};

function emit({ service: { store }, caller }: Company): Promise<number> {
	const nowMs = Date.now();
	return store.write((db) =>
		emitEvent(
			{ eventId: "lead_updated", recordUuid: newUuid(nowMs), entity: ENTITY },
			{ db, caller, nowMs, newUuid: () => newUuid(nowMs) },
		),
	);
}

/** Resolves at the attempt after which fewer than `count` are outstanding. */
const outstandingBelow = (count: number, emitted: number) =>
	new Promise<void>((resolve) => {
		onAttempt = () => {
			if (emitted - attempts < count) resolve();
		};
		onAttempt();
	});

const calls: DeliveryCalls = {
	async open({ folder, origin }) {
		company = await openCompany(folder, `${origin}/hook`, {
			onAttempt(_delivery, { delivered }) {
				attempts++;
				if (!delivered) failures++;
				onAttempt();
			},
		});
	},
	async run(seconds) {
		const before = attempts;
		const startedAt = performance.now();
		const end = startedAt + seconds * 1000;
		const worker = company.service.startWorker();
		let emitted = before;
		while (performance.now() < end) {
			const emissions = Array.from({ length: EMITTED_TOGETHER }, () =>
				emit(company),
			);
			await Promise.all(emissions);
			emitted += EMITTED_TOGETHER;
			company.service.store.wake();
			await outstandingBelow(BACKLOG, emitted);
		}
		await outstandingBelow(1, emitted);
		await worker.stop();
		if (failures > 0) throw new Error(`${failures} deliveries failed`);
		return {
			delivered: attempts - before,
			seconds: (performance.now() - startedAt) / 1000,
		};
	},
};

serveCalls(calls);
