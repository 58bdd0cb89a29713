import type {
	ClaimRequest,
	DedupStore,
	Ticket,
} from "../dedupe/dedup-store.ts";
import type { Awaitable } from "../verify/platform-crypto.ts";
import { check, type TestFunctions } from "./check.ts";
import { createTestClock, type TestClock } from "./clock.ts";

/** A store under test. */
export interface DedupStoreFixture {
	store: DedupStore;
	/** The same records over another connection, if possible in another process. Absent for stores of one process. */
	peer?: DedupStore;
	close?(): Awaitable<void>;
}

/** Opens an empty store on the clock that the suite moves. `peer` says whether the test needs a second connection. */
export type OpenDedupStore = (
	clock: TestClock,
	need: { peer: boolean },
) => Awaitable<DedupStoreFixture>;

const LEASE_MS = 15_000;
const TTL_MS = 60_000;
const RACERS = 50;

const request = (more: Partial<ClaimRequest> = {}): ClaimRequest => ({
	fingerprint: "v1:payload-a",
	deliveryId: null,
	entityId: null,
	sequence: null,
	supersedes: false,
	leaseMs: LEASE_MS,
	...more,
});

async function claim(store: DedupStore, more?: Partial<ClaimRequest>) {
	const result = await store.claim(request(more));
	check(result.state === "claimed", `a claim, got ${result.state}`);
	return result;
}

async function run(store: DedupStore, more?: Partial<ClaimRequest>) {
	const claimed = await claim(store, more);
	const committed = await store.commit(claimed.ticket, TTL_MS);
	check(committed, "the commit to hold");
	return claimed;
}

async function expectState(
	store: DedupStore,
	state: string,
	more?: Partial<ClaimRequest>,
): Promise<void> {
	const result = await store.claim(request(more));
	check(result.state === state, `${state}, got ${result.state}`);
}

type Check = (store: DedupStore, clock: TestClock) => Promise<void>;

const CHECKS: readonly [name: string, check: Check][] = [
	[
		"claims once, and calls a copy running, then done",
		async (store) => {
			const { ticket } = await claim(store);
			await expectState(store, "running");
			check(await store.commit(ticket, TTL_MS), "the commit to hold");
			await expectState(store, "done");
		},
	],
	[
		"lets a released claim run again",
		async (store) => {
			const { ticket } = await claim(store);
			check(await store.release(ticket), "the release to hold");
			await run(store);
		},
	],
	[
		"forgets a record after its time",
		async (store, clock) => {
			await run(store);
			clock.advance(TTL_MS - 1);
			await expectState(store, "done");
			clock.advance(1);
			await claim(store);
		},
	],
	[
		"lets an expired lease be taken over, and ignores the zombie",
		async (store, clock) => {
			const { ticket: zombie } = await claim(store);
			clock.advance(LEASE_MS - 1);
			await expectState(store, "running");
			clock.advance(1);
			const { ticket } = await claim(store);
			check(
				!(await store.commit(zombie, TTL_MS)),
				"the zombie's commit to fail",
			);
			check(!(await store.release(zombie)), "the zombie's release to fail");
			await expectState(store, "running");
			check(await store.commit(ticket, TTL_MS), "the commit to hold");
			check(!(await store.release(ticket)), "no release after the commit");
			await expectState(store, "done");
		},
	],
	[
		"same delivery, same payload: a duplicate",
		async (store) => {
			await run(store, { deliveryId: "c/1" });
			await expectState(store, "done", { deliveryId: "c/1" });
		},
	],
	[
		"same delivery, other payload: runs, flagged as a conflict",
		async (store) => {
			const first = await run(store, { deliveryId: "c/1" });
			check(!first.conflict, "no conflict at first");
			const second = await run(store, {
				deliveryId: "c/1",
				fingerprint: "v1:payload-b",
			});
			check(second.conflict, "a conflict");
		},
	],
	[
		"other delivery, same payload: no duplicate",
		async (store) => {
			await run(store, { deliveryId: "c/1" });
			const second = await run(store, { deliveryId: "c/2" });
			check(!second.conflict, "no conflict");
			await expectState(store, "done", { deliveryId: "c/1" });
		},
	],
	[
		"one of two without a delivery id: the payload decides",
		async (store) => {
			await run(store, { deliveryId: "c/1" });
			await expectState(store, "done");
			await run(store, { fingerprint: "v1:payload-b" });
			await expectState(store, "done", {
				fingerprint: "v1:payload-b",
				deliveryId: "c/2",
			});
		},
	],
	[
		"A → B → A without timestamps: three events; A → A: one",
		async (store) => {
			const a = { entityId: "c/deal/1", supersedes: true };
			const b = { ...a, fingerprint: "v1:payload-b" };
			await run(store, a);
			await expectState(store, "done", a);
			await run(store, b);
			await run(store, a);
			await expectState(store, "done", a);
		},
	],
	[
		"A → B → A with timestamps: the second A is a copy",
		async (store) => {
			const a = { entityId: "c/deal/1" };
			await run(store, a);
			await run(store, { ...a, fingerprint: "v1:payload-b" });
			await expectState(store, "done", a);
		},
	],
	[
		"calls a lower sequence of the same entity stale",
		async (store) => {
			const at = (sequence: number, entityId = "c/deal/1") => ({
				entityId,
				sequence,
				fingerprint: `v1:${entityId}-${sequence}`,
				deliveryId: `c/${entityId}-${sequence}`,
			});
			check(!(await run(store, at(7))).stale, "the first not to be stale");
			check((await run(store, at(6))).stale, "the lower one to be stale");
			check(!(await run(store, at(8))).stale, "the higher one not to be stale");
			check(
				!(await run(store, at(1, "c/deal/2"))).stale,
				"another entity's not to be stale",
			);
		},
	],
	[
		"forgets a payload on demand, and says how many records it had",
		async (store) => {
			await run(store, { deliveryId: "c/1" });
			await run(store, { deliveryId: "c/2" });
			check((await store.forget("v1:payload-a")) === 2, "two records");
			check((await store.forget("v1:payload-a")) === 0, "none left");
			await run(store, { deliveryId: "c/1" });
		},
	],
];

async function race(stores: readonly DedupStore[]): Promise<void> {
	for (let round = 0; round < 5; round++) {
		const fingerprint = `v1:race-${round}`;
		const results = await Promise.all(
			Array.from({ length: RACERS }, async (_, index) =>
				(stores[index % stores.length] as DedupStore).claim(
					// A copy with a delivery id and one without it are copies of each other.
					request({ fingerprint, deliveryId: index % 3 ? null : "c/1" }),
				),
			),
		);
		const winners = results.filter((result) => result.state === "claimed");
		check(winners.length === 1, `one winner, got ${winners.length}`);
	}
}

/** The checks that need a second connection: each sees the other's changes. */
const PEER_CHECKS: readonly [
	name: string,
	check: (
		store: DedupStore,
		peer: DedupStore,
		clock: TestClock,
	) => Promise<void>,
][] = [
	[
		"one of fifty wins over two connections",
		(store, peer) => race([store, peer]),
	],
	[
		"a claim of one is running, then done, for the other",
		async (store, peer) => {
			const { ticket } = await claim(store);
			await expectState(peer, "running");
			await store.commit(ticket, TTL_MS);
			await expectState(peer, "done");
		},
	],
	[
		"a dead holder's claim is taken over, and its late commit ignored",
		async (store, peer, clock) => {
			const zombie: Ticket = (await claim(peer)).ticket;
			clock.advance(LEASE_MS);
			await run(store);
			check(!(await peer.commit(zombie, TTL_MS)), "the late commit to fail");
			await expectState(peer, "done");
		},
	],
];

/**
 * The contract of `DedupStore` as a test suite, for any test runner. Our own stores pass it, and yours should.
 *
 * @example
 * import { describe, it } from "vitest";
 * describeDedupStore("my store", (clock) => ({ store: myStore({ clock: clock.now }) }), { describe, it });
 */
export function describeDedupStore(
	name: string,
	open: OpenDedupStore,
	{ describe, it }: TestFunctions,
	options: { hasPeer?: boolean } = {},
): void {
	async function withStore(
		body: (fixture: DedupStoreFixture, clock: TestClock) => Promise<void>,
		need = { peer: false },
	): Promise<void> {
		const clock = createTestClock();
		const fixture = await open(clock, need);
		try {
			await body(fixture, clock);
		} finally {
			await fixture.close?.();
		}
	}

	describe(`dedup store: ${name}`, () => {
		for (const [title, body] of CHECKS)
			it(title, () => withStore(({ store }, clock) => body(store, clock)));
		it("one of fifty wins", () => withStore(({ store }) => race([store])));
		if (!options.hasPeer) return;
		for (const [title, body] of PEER_CHECKS)
			it(title, () =>
				withStore(
					({ store, peer }, clock) => {
						check(peer !== undefined, "the fixture to have a peer");
						return body(store, peer, clock);
					},
					{ peer: true },
				),
			);
	});
}
