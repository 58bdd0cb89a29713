import type { ClaimedDelivery, ClaimRoom } from "@partnerwire/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createFairScheduler } from "../../src/worker/fair-scheduler.ts";
import type { Attempt } from "../../src/worker/known-integrations.ts";

const PER_INTEGRATION = 16;

const idOf = ({ value }: Attempt) => value.delivery.integrationId;

const roomOf = (id: number, { ofEach, ofOthers }: ClaimRoom) =>
	ofEach?.get(id) ?? ofOthers ?? Number.POSITIVE_INFINITY;

/** A fair scheduler on a virtual clock, and integrations that always have more to send. */
function createWorld(concurrency: number) {
	let nowMs = 0;
	let made = 0;
	const shares = createFairScheduler({
		concurrency,
		perIntegration: PER_INTEGRATION,
		now: () => nowMs,
	});
	const inFlight = new Map<number, number>();
	const count = (id: number, by: number) =>
		inFlight.set(id, (inFlight.get(id) ?? 0) + by);

	return {
		shares,
		inFlightOf: (id: number) => inFlight.get(id) ?? 0,
		now: () => nowMs,
		wait(ms: number) {
			nowMs += ms;
		},
		/** Claims as a worker does. All integrations always have due deliveries. */
		claim(ids: readonly number[], leaseMs = 30_000) {
			for (const room of Object.values(shares.rooms())) {
				let left = room.limit;
				for (const [index, id] of ids.entries()) {
					const share = Math.ceil(left / (ids.length - index));
					const allowed = Math.max(0, Math.min(left, share, roomOf(id, room)));
					left -= allowed;
					shares.add(
						Array.from({ length: allowed }, () => ({
							delivery: { id: ++made, integrationId: id } as ClaimedDelivery,
							startBy: nowMs + leaseMs,
						})),
					);
				}
			}
		},
		start() {
			const attempt = shares.start();
			if (attempt) count(idOf(attempt), 1);
			return attempt;
		},
		end(attempt: Attempt) {
			count(idOf(attempt), -1);
			shares.end(attempt);
		},
	};
}

/** Lets virtual time pass. Each attempt takes as long as its integration's attempts do. Returns the number that ended. */
function run(
	durations: readonly number[],
	seconds: number,
	concurrency = 256,
): number[] {
	const world = createWorld(concurrency);
	const ids = durations.map((_, id) => id);
	const ended = durations.map(() => 0);
	let attempts: { attempt: Attempt; endsAt: number }[] = [];
	while (world.now() < seconds * 1000) {
		world.claim(ids);
		for (;;) {
			const attempt = world.start();
			if (!attempt) break;
			const tookMs = durations[idOf(attempt)] as number;
			attempts.push({ attempt, endsAt: world.now() + tookMs });
		}
		world.wait(5);
		const over = attempts.filter(({ endsAt }) => endsAt <= world.now());
		attempts = attempts.filter(({ endsAt }) => endsAt > world.now());
		for (const { attempt } of over) {
			world.end(attempt);
			const id = idOf(attempt);
			ended[id] = (ended[id] as number) + 1;
		}
		world.shares.takeStuck();
	}
	return ended;
}

/** The virtual time of the comparisons: several attempts of an endpoint that never answers. */
const SECONDS = 40;
const sum = (counts: readonly number[]) =>
	counts.reduce((total, count) => total + count, 0);

test("whatever the durations, no bound is exceeded and nothing that was claimed is lost or started twice", () => {
	const steps = fc.array(
		fc.oneof(
			fc.record({ do: fc.constant("claim"), ids: fc.uniqueArray(fc.nat(9)) }),
			fc.record({ do: fc.constant("start") }),
			fc.record({ do: fc.constant("stuck") }),
			fc.record({ do: fc.constant("end"), which: fc.nat() }),
			fc.record({
				do: fc.constant("wait"),
				ms: fc.constantFrom(1, 50, 900, 5_000),
			}),
		) as fc.Arbitrary<
			| { do: "claim"; ids: number[] }
			| { do: "start" | "stuck" }
			| { do: "end"; which: number }
			| { do: "wait"; ms: number }
		>,
		{ maxLength: 200 },
	);
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 40 }), steps, (concurrency, list) => {
			const world = createWorld(concurrency);
			const running: Attempt[] = [];
			const seen = new Set<number>();
			const leave = (deliveries: readonly ClaimedDelivery[]) => {
				for (const { id } of deliveries) {
					expect(seen.has(id)).toBe(false);
					seen.add(id);
				}
			};
			for (const step of list) {
				if (step.do === "claim")
					world.claim(step.ids, Number.POSITIVE_INFINITY);
				if (step.do === "wait") world.wait(step.ms);
				if (step.do === "stuck") leave(world.shares.takeStuck());
				if (step.do === "end" && running.length > 0) {
					const [ended] = running.splice(step.which % running.length, 1);
					world.end(ended as Attempt);
				}
				if (step.do === "start") {
					const attempt = world.start();
					if (attempt) {
						leave([attempt.value.delivery]);
						running.push(attempt);
						expect(world.inFlightOf(idOf(attempt))).toBeLessThanOrEqual(
							PER_INTEGRATION,
						);
					}
				}
				expect(world.shares.inFlight).toBe(running.length);
				expect(running.length).toBeLessThanOrEqual(concurrency);
			}
			leave(world.shares.drain());
			expect(world.shares.waiting).toBe(0);
			expect([...seen].sort((a, b) => a - b)).toEqual(
				Array.from(seen, (_, index) => index + 1),
			);
		}),
	);
});

test("one attempt at a time until the first has ended, then as many as an integration may have", () => {
	const world = createWorld(256);
	world.claim([1]);
	const first = world.start() as Attempt;
	world.claim([1]);
	expect(world.start()).toBeUndefined();
	world.wait(5);
	world.end(first);
	world.claim([1]);
	while (world.start());
	expect(world.inFlightOf(1)).toBe(PER_INTEGRATION);
});

test("integrations that are equally quick take turns, however much one of them has", () => {
	const ended = run([20, 20, 20], 2, 6);
	expect(Math.max(...ended) - Math.min(...ended)).toBeLessThanOrEqual(
		sum(ended) / 20,
	);
});

test.each([
	[2_000, 8],
	[10_000, 1],
	[60_000, 1],
])(
	"with attempts of %i ms an integration has %i of them at the same time",
	(durationMs, window) => {
		const world = createWorld(256);
		for (let round = 0; round < 40; round++) {
			world.claim([1]);
			const delivery = world.start() as Attempt;
			world.wait(durationMs);
			world.end(delivery);
		}
		world.claim([1]);
		while (world.start());
		expect(world.inFlightOf(1)).toBe(window);
	},
);

test("a quick one that stops answering gets no more attempts, and what waits for it is given back", () => {
	const world = createWorld(256);
	world.claim([1]);
	world.end(world.start() as Attempt);
	world.claim([1]);
	while (world.start());
	const { waiting } = world.shares;
	expect(waiting).toBeGreaterThan(0);
	world.wait(1_001);
	expect(roomOf(1, world.shares.rooms().quick)).toBeLessThanOrEqual(0);
	expect(world.shares.takeStuck()).toHaveLength(waiting);
	expect(world.shares.waiting).toBe(0);
});

test("a claimed delivery whose attempt could outlast its lease is not started", () => {
	const world = createWorld(256);
	world.claim([1], 10);
	world.wait(11);
	expect(world.start()).toBeUndefined();
	expect(world.shares.waiting).toBe(0);
});

test.each([
	["black holes", 10_000],
	["drips of four seconds", 4_000],
])(
	"fifty %s beside fifty quick ones leave these nine tenths of what they do alone",
	(_name, durationMs) => {
		const quick = Array.from({ length: 50 }, () => 50);
		const alone = sum(run(quick, SECONDS));
		const slow = Array.from({ length: 50 }, () => durationMs);
		const beside = run([...slow, ...quick], SECONDS);
		expect(sum(beside.slice(50))).toBeGreaterThan(0.9 * alone);
		// Each of the slow ones continues.
		expect(Math.min(...beside.slice(0, 50))).toBeGreaterThan(0);
	},
);

test("however many slow attempts run, one that is not known yet finds room", () => {
	const world = createWorld(256);
	const dead = Array.from({ length: 120 }, (_, index) => index + 1);
	for (let round = 0; round < 6; round++) {
		world.claim(dead);
		while (world.start());
		world.wait(16_001);
		world.shares.takeStuck();
	}
	expect(world.shares.inFlight).toBe(dead.length);
	world.claim([1000]);
	while (world.start());
	expect(world.inFlightOf(1000)).toBe(1);
});

test("of 100,000 integrations that come and go a worker remembers 10,000, and those that it serves", () => {
	const { shares, wait } = createWorld(64);
	const begin = (integrationId: number) => {
		const delivery = { id: integrationId, integrationId } as ClaimedDelivery;
		shares.add([{ delivery, startBy: 1e9 }]);
		return shares.start() as Attempt;
	};
	const kept = begin(0);
	for (let id = 1; id <= 100_000; id++) {
		const attempt = begin(id);
		wait(1);
		shares.end(attempt);
	}
	const { ofEach } = shares.rooms().unknown;
	expect(ofEach?.size).toBe(10_000);
	expect([ofEach?.has(0), ofEach?.has(100_000)]).toEqual([true, true]);
	expect(ofEach?.has(1)).toBe(false);
	shares.end(kept);
	expect(shares.inFlight).toBe(0);
});
