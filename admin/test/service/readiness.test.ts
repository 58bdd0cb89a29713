// `/readyz` is about what the service is for: a write works, and the worker reaches the queue. `/healthz` is about the process alone.
import { createApp } from "partnerwire";
import { expect, onTestFinished, test } from "vitest";
import { openApi } from "#kit/program/api.ts";

async function openParts() {
	const api = await openApi();
	onTestFinished(() => api.close());
	const { core } = api.service;
	const ask = async (store = core.store, isWorkerTroubled = false) => {
		const app = createApp(
			{ ...core, store },
			{ isWorkerTroubled: () => isWorkerTroubled },
		);
		const [ready, healthy] = await Promise.all([
			app.request("/readyz"),
			app.request("/healthz"),
		]);
		expect(healthy.status).toBe(200);
		return { status: ready.status, text: await ready.text() };
	};
	return { store: core.store, ask };
}

test("a database that takes a write is ready", async () => {
	const { ask } = await openParts();
	expect(await ask()).toEqual({ status: 200, text: '{"status":"ready"}' });
});

test("a database that can only be read is not", async () => {
	const { store, ask } = await openParts();
	const full = {
		...store,
		write: () => Promise.reject(new Error("disk I/O error")),
	};
	const { status, text } = await ask(full);
	expect(status).toBe(503);
	expect(text).toContain("the database takes no writes");
	expect(text).not.toContain("disk I/O");
});

test("a worker that cannot reach the queue is not", async () => {
	const { store, ask } = await openParts();
	const { status, text } = await ask(store, true);
	expect(status).toBe(503);
	expect(text).toContain("the worker");
});

test("however many ask at once, one write answers them", async () => {
	const { store } = await openParts();
	const api = await openApi();
	onTestFinished(() => api.close());
	let writes = 0;
	const counted = {
		...store,
		write: (...given: Parameters<typeof store.write>) => {
			writes++;
			return store.write(...given);
		},
	};
	const app = createApp({
		...api.service.core,
		store: counted as typeof store,
	});
	const answers = await Promise.all(
		Array.from({ length: 50 }, () => app.request("/readyz")),
	);
	expect(answers.every(({ status }) => status === 200)).toBe(true);
	expect(writes).toBe(1);
});
