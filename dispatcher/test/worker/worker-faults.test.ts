import { setImmediate as nextTurn } from "node:timers/promises";
import { StorageError, type Store } from "@partnerwire/core";
import { expect, onTestFinished, test } from "vitest";
import { rowsOf } from "#kit/database/open-core.ts";
import { createFakeWire, toResult } from "#kit/endpoints/fake-wire.ts";
import type { AttemptResult } from "../../src/index.ts";
import { startWorker } from "../../src/worker/index.ts";
import { openWorld, statesOf } from "../support/lead-world.ts";

test("a database that fails when results are written: a clear fault, nothing is marked, and the result is written later", async () => {
	const core = await openWorld();
	const full = new StorageError("database_full", "The disk is full.");
	let isFull = false;
	const store: Store = {
		...core.store,
		write: async (work) => {
			if (isFull) throw full;
			return core.store.write(work);
		},
	};
	const wire = createFakeWire(() => {
		isFull = wire.arrivals.length === 1;
		return toResult(200, core.clock());
	});
	const faults: unknown[] = [];
	await core.addLead();
	const worker = startWorker({
		store,
		cipher: core.cipher,
		wire: { ...wire, maxAttemptMs: 0 },
		clock: core.clock,
		pollMs: 5,
		leaseMs: 60_000,
		onFault: (fault) => {
			faults.push(fault);
			isFull = false;
		},
	});
	onTestFinished(() => worker.stop());
	await expect.poll(() => statesOf(core)).toEqual(["delivered"]);
	expect(faults).toContain(full);
	expect(wire.arrivals).toHaveLength(1);
	expect(await rowsOf(core, "attempt")).toHaveLength(1);
});

test("a database that fails until the lease is over: the delivery goes again under its jti", async () => {
	const core = await openWorld();
	let isGone = false;
	const store: Store = {
		...core.store,
		write: async (work) => {
			if (isGone) throw new StorageError("database_io", "It is gone.");
			return core.store.write(work);
		},
	};
	const wire = createFakeWire(() => {
		isGone = wire.arrivals.length === 1;
		return toResult(200, core.clock());
	});
	await core.addLead();
	const options = { cipher: core.cipher, clock: core.clock, pollMs: 5 };
	const cutOff = startWorker({
		...options,
		store,
		wire: { ...wire, maxAttemptMs: 0 },
		leaseMs: 500,
	});
	onTestFinished(() => cutOff.stop());
	await expect.poll(() => wire.arrivals.length).toBe(1);
	const other = startWorker({ ...options, store: core.store, wire });
	onTestFinished(() => other.stop());
	await expect.poll(() => statesOf(core)).toEqual(["delivered"]);
	const [first, second] = wire.arrivals;
	expect(wire.arrivals).toHaveLength(2);
	expect(second).toEqual(first);
	// The first result is too late to count.
	isGone = false;
	await cutOff.stop();
	expect(await rowsOf(core, "attempt")).toHaveLength(1);
});

test("a worker that comes back after its lease cannot overwrite what another one wrote", async () => {
	const core = await openWorld();
	const hung: ((result: AttemptResult) => void)[] = [];
	const hanging = createFakeWire(
		() => new Promise((resolve) => hung.push(resolve)),
	);
	const options = {
		store: core.store,
		cipher: core.cipher,
		clock: core.clock,
		pollMs: 5,
	};
	await core.addLead();
	const late = startWorker({
		...options,
		wire: { ...hanging, maxAttemptMs: 0 },
		leaseMs: 500,
	});
	await expect.poll(() => hanging.arrivals.length).toBeGreaterThan(0);
	const fresh = createFakeWire(() => toResult(200, core.clock()));
	const other = startWorker({ ...options, wire: fresh });
	onTestFinished(() => other.stop());
	await expect.poll(() => statesOf(core)).toEqual(["delivered"]);
	const stopped = late.stop();
	for (const answer of hung) answer(toResult(500, core.clock()));
	await stopped;
	expect(await rowsOf(core, "delivery")).toMatchObject([
		{ state: "delivered", attempts: 1, lastError: null },
	]);
	const [integration] = await rowsOf(core, "integration");
	expect(integration).toMatchObject({ lastFailureAt: null, settled: 1 });
});

test("an attempt that ends by a fault of the program counts, so that the delivery comes to its end and others go on", async () => {
	const core = await openWorld();
	const died = new Error("the thread that sends has ended");
	const poison = await core.addLead();
	const fine = await core.addLead();
	const wire = createFakeWire(({ body }) => {
		if (body.includes(poison)) throw died;
		return toResult(200, core.clock());
	});
	const faults: unknown[] = [];
	const worker = startWorker({
		store: core.store,
		cipher: core.cipher,
		wire,
		clock: core.clock,
		retrySchedule: [0, 0, 0],
		pollMs: 5,
		onFault: (fault) => faults.push(fault),
	});
	onTestFinished(() => worker.stop());
	await expect.poll(() => statesOf(core)).toEqual(["failed", "delivered"]);
	expect(wire.arrivals.filter(({ body }) => body.includes(fine))).toHaveLength(
		1,
	);
	expect(faults).toEqual([died, died, died]);
	const attempts = await rowsOf(core, "attempt");
	expect(
		attempts.map(({ failureClass, failureStage, message }) => ({
			failureClass,
			failureStage,
			message,
		})),
	).toEqual(
		expect.arrayContaining(
			Array(3).fill({
				failureClass: "interrupted",
				failureStage: "request",
				message: "the attempt ended by a fault of the program",
			}),
		),
	);
});

test("an attempt that ends by a fault while the worker stops is given back and does not count", async () => {
	const core = await openWorld();
	let fail = (_fault: Error) => {};
	const wire = createFakeWire(
		() =>
			new Promise((_resolve, reject) => {
				fail = reject;
			}),
	);
	await core.addLead();
	const { store, cipher, clock } = core;
	const worker = startWorker({ store, cipher, wire, clock, pollMs: 5 });
	await expect.poll(() => wire.arrivals.length).toBe(1);
	const stopped = worker.stop();
	fail(new Error("the wire is closed"));
	await stopped;
	expect(await rowsOf(core, "delivery")).toMatchObject([
		{ state: "pending", attempts: 0, leaseUntil: null },
	]);
	expect(await rowsOf(core, "attempt")).toEqual([]);
});

test("a worker that stops while the database refuses results ends, and writes nothing later", async () => {
	const core = await openWorld();
	let writes = 0;
	let isGone = false;
	const store: Store = {
		...core.store,
		write: async (work) => {
			if (!isGone) return core.store.write(work);
			writes++;
			throw new StorageError("database_io", "It is gone.");
		},
	};
	const wire = createFakeWire(() => {
		isGone = true;
		return toResult(200, core.clock());
	});
	await core.addLead();
	const worker = startWorker({
		store,
		cipher: core.cipher,
		wire,
		clock: core.clock,
		pollMs: 20,
	});
	await expect.poll(() => writes).toBeGreaterThan(1);
	await worker.stop();
	const written = writes;
	store.wake();
	await nextTurn();
	expect(writes).toBe(written);
});

test("a 410 of an integration that was changed since pauses nothing", async () => {
	const core = await openWorld();
	const answers: ((result: AttemptResult) => void)[] = [];
	const wire = createFakeWire(
		() => new Promise((resolve) => answers.push(resolve)),
	);
	const worker = startWorker({
		store: core.store,
		cipher: core.cipher,
		wire,
		clock: core.clock,
		pollMs: 5,
	});
	onTestFinished(() => worker.stop());
	const [integration] = await rowsOf(core, "integration");
	const params = { integration_id: integration?.uuid as string };
	const statusOf = async () => (await rowsOf(core, "integration"))[0]?.status;
	await core.addLead();
	await expect.poll(() => answers.length).toBe(1);
	const body = { webhook_url: "https://new.example/" };
	await core.execute("updateIntegration", { params, body }, core.caller);
	answers[0]?.(toResult(410, core.clock()));
	await expect.poll(() => statesOf(core)).toEqual(["failed"]);
	expect(await statusOf()).toBe("active");
	await core.addLead();
	await expect.poll(() => answers.length).toBe(2);
	answers[1]?.(toResult(410, core.clock()));
	await expect.poll(statusOf).toBe("paused");
});

test("options that are undefined are those that were not given", async () => {
	const core = await openWorld();
	const wire = createFakeWire(() => toResult(200, core.clock()));
	await core.addLead();
	const names = [
		...["clock", "concurrency", "perIntegration", "retrySchedule", "token"],
		...["passAfterMs", "pollMs", "leaseMs", "random", "onAttempt", "onFault"],
	];
	const worker = startWorker({
		store: core.store,
		cipher: core.cipher,
		wire,
		...(Object.fromEntries(names.map((name) => [name, undefined])) as object),
	});
	onTestFinished(() => worker.stop());
	await expect.poll(() => statesOf(core)).toEqual(["delivered"]);
	expect(wire.arrivals).toHaveLength(1);
});

test("each additive claim can be left out for strict receivers", async () => {
	const core = await openWorld();
	const tokens: string[] = [];
	const wire = createFakeWire((_, { token }) => {
		tokens.push(token);
		return toResult(200, core.clock());
	});
	await core.addLead();
	const worker = startWorker({
		store: core.store,
		cipher: core.cipher,
		wire,
		clock: core.clock,
		token: {
			jti: false,
			payloadSha256: false,
			sequence: false,
			tokenLifetimeS: 60,
		},
	});
	onTestFinished(() => worker.stop());
	await expect.poll(() => tokens.length).toBe(1);
	const payload = Buffer.from(tokens[0]?.split(".")[1] ?? "", "base64url");
	expect(JSON.parse(payload.toString())).toEqual({
		company_uuid: core.caller.companyUuid,
		user_uuid: core.caller.userUuid,
		event_id: "lead_created",
		iat: core.clock() / 1000,
		exp: core.clock() / 1000 + 60,
	});
});
