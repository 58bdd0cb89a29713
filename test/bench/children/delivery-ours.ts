import type { Caller } from "@partnerwire/core";
import type { Service } from "partnerwire";
import { serveCalls } from "../kit/child.ts";
import { addTenant, emit, openCompany } from "../kit/company.ts";
import { CONNECTIONS, type DeliveryCalls } from "../kit/delivery-load.ts";

/** The number of events emitted together, and the least number of waiting deliveries, so that the worker always has work. */
const EMITTED_TOGETHER = 128;
const BACKLOG = 256;

/** Our queue and worker. Every event is a write of its own, and each integration has a company of its own. */
let service: Service;
const callers: Caller[] = [];
let attempts = 0;
let failures = 0;
let onAttempt = () => {};

/** Resolves when fewer than `count` deliveries are outstanding. */
const outstandingBelow = (count: number, emitted: number) =>
	new Promise<void>((resolve) => {
		onAttempt = () => {
			if (emitted - attempts < count) resolve();
		};
		onAttempt();
	});

const calls: DeliveryCalls = {
	async open({ folder, origin, integrations, database }) {
		const company = await openCompany(folder, `${origin}/hook`, {
			concurrency: CONNECTIONS,
			perIntegration: CONNECTIONS,
			...(database && { database }),
			onAttempt(_delivery, { delivered }) {
				attempts++;
				if (!delivered) failures++;
				onAttempt();
			},
		});
		service = company.service;
		callers.push(company.caller);
		while (callers.length < integrations)
			callers.push((await addTenant(service, `${origin}/hook`)).caller);
	},
	async run(seconds) {
		const before = attempts;
		const startedAt = performance.now();
		const end = startedAt + seconds * 1000;
		const worker = service.startWorker();
		let emitted = before;
		while (performance.now() < end) {
			const emissions = Array.from({ length: EMITTED_TOGETHER }, () =>
				emit(service, callers[emitted++ % callers.length] as Caller),
			);
			await Promise.all(emissions);
			service.store.wake();
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
