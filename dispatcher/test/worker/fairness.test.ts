import { randomBytes } from "node:crypto";
import { createCipher } from "@partnerwire/core";
import { expect, onTestFinished, test } from "vitest";
import {
	addIntegration,
	addPartner,
	openTestCore,
	rowsOf,
} from "#kit/database/open-core.ts";
import { createFakeWire, toResult } from "#kit/endpoints/fake-wire.ts";
import type { AttemptResult } from "../../src/index.ts";
import { startWorker, type WorkerOptions } from "../../src/worker/index.ts";

/** Integrations by the path of their endpoint. Each receives all leads. */
async function openWorld(paths: readonly string[], leads: number) {
	const key = randomBytes(32);
	const core = await openTestCore({ key });
	onTestFinished(() => core.close());
	for (const path of paths)
		await addIntegration(core, core.caller, {
			webhook_url: `https://hooks.example/${path}`,
			event_ids: ["lead_created"],
		});
	const partnership_uuid = await addPartner(core, core.caller);
	for (let made = 0; made < leads; made++)
		await core.execute(
			"createLead",
			{ body: { partnership_uuid } },
			core.caller,
		);

	/** Endpoints that answer only when the test says so. */
	const open = new Map(
		paths.map((path) => [path, [] as ((result: AttemptResult) => void)[]]),
	);
	const pathOf = (url: string) => new URL(url).pathname.slice(1);
	const wire = createFakeWire(
		({ url }) => new Promise((resolve) => open.get(pathOf(url))?.push(resolve)),
	);
	const openAt = (path: string) => open.get(path)?.length ?? 0;
	return {
		openAt,
		answerAll(path: string, status = 200) {
			for (const resolve of open.get(path)?.splice(0) ?? [])
				resolve(toResult(status, core.clock()));
		},
		addLead: () =>
			core.execute("createLead", { body: { partnership_uuid } }, core.caller),
		execute: core.execute,
		caller: core.caller,
		integrations: () => rowsOf(core, "integration"),
		deliveredTo: (path: string) =>
			wire.arrivals.filter(({ url }) => pathOf(url) === path).length -
			openAt(path),
		async states() {
			const rows = await rowsOf(core, "delivery");
			return rows.map(({ state }) => state).sort();
		},
		start(options: Partial<WorkerOptions> = {}) {
			const worker = startWorker({
				store: core.store,
				cipher: createCipher(key),
				wire,
				clock: core.clock,
				pollMs: 5,
				...options,
			});
			onTestFinished(async () => {
				const stopped = worker.stop();
				for (const path of paths)
					while (worker.load().inFlight > 0 && openAt(path) > 0)
						this.answerAll(path);
				await stopped;
			});
			return worker;
		},
	};
}

test("an integration has one attempt until the first is answered, then as many as it may have, never more", async () => {
	const world = await openWorld(["a"], 30);
	world.start({ perIntegration: 4 });
	await expect.poll(() => world.openAt("a")).toBe(1);
	for (let answered = 1; answered < 25; answered += 4) {
		world.answerAll("a");
		await expect.poll(() => world.openAt("a")).toBe(4);
	}
});

test("endpoints that do not answer hold one attempt each, and the others get all they have", async () => {
	const holes = ["hole-1", "hole-2", "hole-3", "hole-4"];
	const world = await openWorld([...holes, "quick"], 40);
	const worker = world.start({ concurrency: 32 });
	await expect
		.poll(() => {
			world.answerAll("quick");
			return world.deliveredTo("quick");
		})
		.toBe(40);
	expect(worker.load().inFlight).toBe(holes.length);
	expect(holes.map(world.openAt)).toEqual([1, 1, 1, 1]);
});

test("two workers on one database share what is due, and deliver each once", async () => {
	const world = await openWorld(["a", "b"], 30);
	world.start({ perIntegration: 2 });
	world.start({ perIntegration: 2 });
	const delivered = () => world.deliveredTo("a") + world.deliveredTo("b");
	await expect
		.poll(() => {
			world.answerAll("a");
			world.answerAll("b");
			return delivered();
		})
		.toBe(60);
	await expect
		.poll(async () => new Set(await world.states()))
		.toEqual(new Set(["delivered"]));
	expect(delivered()).toBe(60);
});

test("a quick endpoint that hangs with much claimed ahead for it keeps nobody else waiting", async () => {
	const world = await openWorld(["hangs", "other"], 400);
	const worker = world.start({ leaseMs: 60_000 });
	const deliver = async (path: string, least: number) =>
		expect
			.poll(
				() => {
					world.answerAll(path);
					return world.deliveredTo(path) >= least;
				},
				{ interval: 1 },
			)
			.toBe(true);
	await deliver("hangs", 40);
	await expect.poll(() => worker.load().waiting).toBeGreaterThan(0);
	// From now on it does not answer.
	await deliver("other", 400);
	await expect.poll(() => worker.load().waiting).toBe(0);
	await world.addLead();
	await deliver("other", 401);
	expect(world.openAt("hangs")).toBeGreaterThan(0);
});

test("what is claimed ahead of a 410, or of a pause by hand, is held and not tried", async () => {
	const world = await openWorld(["a"], 200);
	const worker = world.start();
	await expect.poll(() => world.openAt("a"), { interval: 1 }).toBe(1);
	world.answerAll("a");
	// The number of deliveries claimed ahead depends on the duration of the first attempt.
	await expect.poll(() => worker.load().waiting).toBeGreaterThan(0);
	await expect.poll(() => world.openAt("a")).toBe(16);
	world.answerAll("a", 410);
	await expect
		.poll(async () => (await world.integrations())[0]?.pauseReason)
		.toBe("gone");
	await expect
		.poll(() => worker.load())
		.toMatchObject({ inFlight: 0, waiting: 0 });
	// The pause is written before the claimed deliveries are requeued.
	await expect
		.poll(world.states)
		.toEqual([
			"delivered",
			...Array(16).fill("failed"),
			...Array(183).fill("pending"),
		]);
	const [row] = await world.integrations();
	const params = { integration_id: row?.uuid as string };
	await world.execute(
		"resumeIntegration",
		{ params, body: { rate_per_second: 1000 } },
		world.caller,
	);
	await expect.poll(() => world.openAt("a")).toBe(16);
	await world.execute("pauseIntegration", { params, body: {} }, world.caller);
	const tried = world.deliveredTo("a") + world.openAt("a");
	await expect
		.poll(() => {
			world.answerAll("a");
			return worker.load();
		})
		.toMatchObject({ inFlight: 0, waiting: 0 });
	// At most one more turn is running, with as many attempts again.
	expect(world.deliveredTo("a") - tried).toBeLessThanOrEqual(32);
});
