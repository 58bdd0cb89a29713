// The claims of a worker that died, on both engines. Leases last for hours here, so that nothing comes back by its lease.
import { writeFileSync } from "node:fs";
import {
	type ClaimedDelivery,
	claimDue,
	openWorkerLock,
	reclaimFromDead,
	StorageError,
	type Store,
	type WorkerLock,
} from "@partnerwire/core";
import { expect, onTestFinished, test } from "vitest";
import { engineOf } from "#kit/database/database.ts";
import { rowsOf } from "#kit/database/open-core.ts";
import { createFakeWire, toResult } from "#kit/endpoints/fake-wire.ts";
import type { AttemptResult } from "../../src/index.ts";
import { startWorker } from "../../src/worker/index.ts";
import { openWorld, statesOf } from "../support/lead-world.ts";

const HOURS_MS = 4 * 3_600_000;
const DEAD = 4711;

type World = Awaited<ReturnType<typeof openWorld>>;

const claimAs = (world: World, workerId: number | null, limit = 100) =>
	claimDue(world.store, {
		nowMs: world.clock(),
		limit,
		leaseMs: HOURS_MS,
		workerId,
	});

/** Leaves what a killed worker leaves: on SQLite its file, which nobody locks, on PostgreSQL nothing. */
function leaveDead(world: World, id = DEAD): void {
	if (engineOf() === "sqlite") writeFileSync(`${world.path}-worker-${id}`, "");
}

/** Takes a lock that is freed after the test. */
async function lockAs(world: World): Promise<WorkerLock & { id: number }> {
	const lock = openWorkerLock(world.store, () => {});
	onTestFinished(() => lock.close());
	await lock.ready;
	expect(lock.id).toBeGreaterThan(0);
	return lock as WorkerLock & { id: number };
}

const start = (
	world: World,
	more: Partial<Parameters<typeof startWorker>[0]> = {},
) => {
	const wire = createFakeWire(() => toResult(200, world.clock()));
	const worker = startWorker({
		store: world.store,
		cipher: world.cipher,
		wire,
		clock: world.clock,
		pollMs: 20,
		leaseMs: HOURS_MS,
		...more,
	});
	onTestFinished(() => worker.stop());
	return { worker, wire };
};

test("what a killed worker had claimed goes out again at once, with its jti; its late result changes nothing", async () => {
	const world = await openWorld();
	await world.addLead();
	leaveDead(world);
	const [claimed] = await claimAs(world, DEAD);
	const { wire } = start(world);
	await expect.poll(() => statesOf(world)).toEqual(["delivered"]);
	expect(wire.arrivals.map(({ jti }) => jti)).toEqual([claimed?.uuid]);
	expect(await rowsOf(world, "delivery")).toMatchObject([
		{ lease: (claimed as ClaimedDelivery).lease + 1, workerId: null },
	]);
});

test("a live worker's claims are left alone while a dead one's are taken, and so are claims without a lock", async () => {
	const world = await openWorld();
	const live = await lockAs(world);
	for (let count = 0; count < 3; count++) await world.addLead();
	leaveDead(world);
	const [ofLive] = await claimAs(world, live.id, 1);
	const [ofDead] = await claimAs(world, DEAD, 1);
	const [unlocked] = await claimAs(world, null, 1);
	const { wire } = start(world);
	await expect
		.poll(async () => (await statesOf(world)).toSorted())
		.toEqual(["delivered", "delivering", "delivering"]);
	// A claim after the release shows that the worker has gone on.
	const later = await world.addLead();
	await expect.poll(() => wire.arrivals.length).toBe(2);
	expect(wire.arrivals[0]?.jti).toBe(ofDead?.uuid);
	expect(wire.arrivals[1]?.body).toContain(later);
	const rows = await rowsOf(world, "delivery");
	for (const left of [ofLive, unlocked])
		expect(rows.find(({ id }) => id === left?.id)).toMatchObject({
			state: "delivering",
			lease: left?.lease,
		});
});

test("workers claim under their lock, and a worker that stops leaves no claim of its own", async () => {
	const world = await openWorld();
	const answers: ((result: AttemptResult) => void)[] = [];
	const hanging = createFakeWire(
		() => new Promise((resolve) => answers.push(resolve)),
	);
	await world.addLead();
	// A poll that comes before its lock would let it begin without one.
	const { worker } = start(world, { wire: hanging, pollMs: HOURS_MS });
	await expect.poll(() => answers.length).toBe(1);
	const [{ workerId } = {}] = await rowsOf(world, "delivery");
	expect(workerId).toBeGreaterThan(0);
	const watching = await lockAs(world);
	const released: number[] = [];
	await watching.releaseDead([workerId as number], async (ids) => {
		released.push(...ids);
	});
	expect(released, "its lock is held").toEqual([]);
	const stopped = worker.stop();
	for (const answer of answers) answer(toResult(200, world.clock()));
	await stopped;
	expect(await rowsOf(world, "delivery")).toMatchObject([
		{ state: "delivered", workerId: null },
	]);
});

/** A store whose lock the test takes away. */
function withLock(store: Store) {
	const lock: { -readonly [Member in keyof WorkerLock]: WorkerLock[Member] } = {
		id: 1,
		ready: Promise.resolve(),
		releaseDead: async () => {},
		close: async () => {},
	};
	return { lock, store: { ...store, openWorkerLock: () => lock } };
}

test.each([
	["is not held any more", null],
	["is another one after a reconnect", 2],
])(
	"a worker whose lock %s starts nothing that it claimed before, which another worker has by now",
	async (_, newId) => {
		const world = await openWorld();
		const { lock, store } = withLock(world.store);
		const answers: ((result: AttemptResult) => void)[] = [];
		const wire = createFakeWire(
			() => new Promise((resolve) => answers.push(resolve)),
		);
		for (let count = 0; count < 3; count++) await world.addLead();
		// Nothing but the end of an attempt makes it look at its lock.
		const { worker } = start(world, {
			...{ store, wire, concurrency: 1, pollMs: HOURS_MS },
		});
		await expect.poll(() => answers.length).toBe(1);
		answers[0]?.(toResult(200, world.clock()));
		await expect
			.poll(() => worker.load())
			.toMatchObject({ inFlight: 1, waiting: 1 });
		lock.id = newId;
		const finder: WorkerLock = {
			...lock,
			id: 3,
			releaseDead: async (ids, release) => {
				expect(ids).toEqual([1]);
				await release(ids);
			},
		};
		await reclaimFromDead(world.store, finder);
		expect(await claimAs(world, finder.id)).toHaveLength(2);
		answers[1]?.(toResult(500, world.clock()));
		const later = await world.addLead();
		world.store.wake();
		await expect.poll(() => wire.arrivals.length).toBe(3);
		expect(wire.arrivals[2]?.body).toContain(later);
		const rows = await rowsOf(world, "delivery");
		expect(
			rows.filter(({ workerId }) => workerId === finder.id),
			"its late result changed nothing",
		).toMatchObject([
			{ state: "delivering", lease: 2, attempts: 0 },
			{ state: "delivering", lease: 2, attempts: 0 },
		]);
		const stopped = worker.stop();
		answers[2]?.(toResult(200, world.clock()));
		await stopped;
		expect(wire.arrivals).toHaveLength(3);
	},
);

test.each([0, 6])(
	"a worker whose lock is lost for a moment records what was under way and claims the rest anew, after %i refused transactions",
	async (refused) => {
		const world = await openWorld();
		let refusals = 0;
		const { lock, store } = withLock({
			...world.store,
			write: async (work, scope) => {
				if (refusals > 0 && refusals-- > 0)
					throw new StorageError("database_io", "It is gone.");
				return world.store.write(work, scope);
			},
		});
		const answers: ((result: AttemptResult) => void)[] = [];
		const wire = createFakeWire(
			() => new Promise((resolve) => answers.push(resolve)),
		);
		for (let count = 0; count < 3; count++) await world.addLead();
		const { worker } = start(world, { store, wire, concurrency: 1 });
		await expect.poll(() => answers.length).toBe(1);
		answers[0]?.(toResult(200, world.clock()));
		await expect
			.poll(() => worker.load())
			.toMatchObject({ inFlight: 1, waiting: 1 });
		refusals = refused;
		lock.id = 2;
		const leases = async () =>
			(await rowsOf(world, "delivery")).map(({ lease }) => lease).toSorted();
		await expect.poll(leases).toEqual([1, 1, 2]);
		answers[1]?.(toResult(200, world.clock()));
		await expect.poll(() => answers.length).toBe(3);
		answers[2]?.(toResult(200, world.clock()));
		await expect
			.poll(() => statesOf(world))
			.toEqual(Array(3).fill("delivered"));
		expect(new Set(wire.arrivals.map(({ jti }) => jti)).size).toBe(3);
	},
);
