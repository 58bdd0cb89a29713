import type { InboxItem, Settlement } from "../inbox/inbox-store.ts";
import { check } from "./check.ts";
import {
	DEAD,
	DONE,
	event,
	expectPut,
	expectStats,
	LEASE_MS,
	type NamedCheck,
	put,
	run,
	take,
	takeOne,
} from "./inbox-actions.ts";

/** Checks which events are taken, in which order, and their states afterwards. */
export const QUEUE_CHECKS: readonly NamedCheck[] = [
	[
		"gives the events of one record one at a time, in order, and other records beside them",
		async (store, peer, clock) => {
			const lane = { entityId: "c/lead/one" };
			const [first, second] = [await put(store, lane), await put(store, lane)];
			const other = await put(store);
			const taken = await take(store);
			check(
				taken.map(({ body }) => body).join() ===
					[first.body, other.body].join(),
				"the first of each record",
			);
			check((await take(peer)).length === 0, "the second to wait");
			const [head] = taken as [InboxItem];
			await store.settle(head, {
				state: "pending",
				delayMs: 1_000,
				error: "no",
			});
			check(
				(await take(peer)).length === 0,
				"the second to wait for the retry",
			);
			clock.advance(1_000);
			const retried = await takeOne(peer);
			check(
				retried.body === first.body && retried.attempt === 2,
				"the first again",
			);
			await peer.settle(retried, DEAD);
			check(
				(await takeOne(store)).body === second.body,
				"the second after the first is dead",
			);
		},
	],
	[
		"takes an event over when its lease is over, and ignores the zombie",
		async (store, peer, clock) => {
			await put(store);
			const zombie = await takeOne(store);
			clock.advance(LEASE_MS - 1);
			check((await take(peer)).length === 0, "the lease to hold");
			check(await store.extend(zombie, LEASE_MS), "the lease to be renewed");
			clock.advance(LEASE_MS - 1);
			check((await take(peer)).length === 0, "the new lease to hold");
			await expectStats(store, { pending: 0, processing: 1 });
			clock.advance(1);
			await expectStats(store, {
				pending: 1,
				processing: 0,
				oldestAgeMs: 2 * LEASE_MS - 1,
			});
			const item = await takeOne(peer);
			check(item.attempt === 2, "the second attempt");
			check(
				!(await store.extend(zombie, LEASE_MS)),
				"the zombie to hold nothing",
			);
			for (const settlement of [DONE, DEAD])
				check(
					!(await store.settle(zombie, settlement)),
					"the zombie to settle nothing",
				);
			check(await peer.settle(item, DONE), "the event to be settled");
			await expectStats(store, { done: 1, dead: 0 });
		},
	],
	[
		"lets a late holder settle what nobody took over",
		async (store, _peer, clock) => {
			await put(store);
			const item = await takeOne(store);
			clock.advance(LEASE_MS * 10);
			check(await store.settle(item, DONE), "the event to be settled");
		},
	],
	[
		"gives only events that there are handlers for, and holds up no others for them",
		async (store) => {
			const lane = { entityId: "c/lead/two" };
			await put(store, { ...lane, eventId: "lead_updated" });
			const second = await put(store, lane);
			const some = await take(store, { eventIds: ["lead_created"] });
			check(
				some.length === 1 && some[0]?.body === second.body,
				"the handled one",
			);
			check(
				(await take(store, { eventIds: [] })).length === 0,
				"nothing without handlers",
			);
		},
	],
	[
		"calls a lower sequence of the same record stale",
		async (store) => {
			const record = { entityId: "c/lead/three" };
			await run(store, { ...record, sequence: 7 });
			await put(store, { ...record, sequence: 6 });
			const item = await takeOne(store);
			check(item.stale, "the lower one to be stale");
			await store.settle(item, DONE);
			await put(store, { ...record, sequence: 8 });
			check(!(await takeOne(store)).stale, "the higher one not to be stale");
		},
	],
	[
		"lists, retries one or all of the dead, and counts attempts anew",
		async (store, peer) => {
			for (const error of ["one", "two", "three"]) {
				await put(store);
				await store.settle(await takeOne(store), {
					...DEAD,
					error,
				} as Settlement);
			}
			const dead = await peer.list({ state: "dead", limit: 2 });
			check(
				dead.map(({ error }) => error).join() === "one,two",
				"the oldest two",
			);
			check(
				dead[0]?.attempts === 1 && dead[0]?.eventId === "lead_created",
				"what they are",
			);
			check((await peer.retry(dead[0]?.id)) === 1, "one to be retried");
			check(
				(await peer.retry(dead[0]?.id)) === 1,
				"one that waits to be due now",
			);
			check((await takeOne(store)).attempt === 1, "the first attempt again");
			check(
				(await peer.retry(dead[0]?.id)) === 0,
				"one that runs to be left alone",
			);
			check((await peer.retry()) === 2, "the other two");
			check((await peer.retry(999_999_999)) === 0, "none of that id");
			check((await take(peer)).length === 2, "both to be taken");
			check(
				(await peer.list({ limit: 10 })).every(
					({ state }) => state === "processing",
				),
				"all under way",
			);
		},
	],
	[
		"an interrupted attempt does not count",
		async (store) => {
			await put(store);
			await store.settle(await takeOne(store), {
				state: "pending",
				delayMs: 0,
				error: "closed",
				attempts: 0,
			});
			check((await takeOne(store)).attempt === 1, "the first attempt again");
		},
	],
	[
		"forgets a payload on demand, but no event that is still to run",
		async (store) => {
			const done = await run(store);
			const waiting = await put(store);
			check((await store.forget(done.fingerprint)) === 1, "one record");
			check((await store.forget(done.fingerprint)) === 0, "none left");
			check((await store.forget(waiting.fingerprint)) === 0, "none that waits");
			await expectPut(store, "stored", done);
			await expectPut(store, "duplicate", waiting);
		},
	],
	[
		"keeps what a sender may write",
		async (store) => {
			for (const text of [
				"\0",
				"\ud800",
				"'; drop table x",
				"x".repeat(100_000),
			]) {
				const odd = await run(store, {
					fingerprint: `v1:${text}`,
					deliveryId: `c/${text}`,
					entityId: `c/lead/${text}`,
					sequence: Number.MAX_SAFE_INTEGER,
				});
				await expectPut(store, "duplicate", odd);
				check(
					(await store.forget(odd.fingerprint)) === 1,
					"it to be found again",
				);
			}
		},
	],
	[
		"of fifty copies over two connections one is stored, and each event is taken once",
		async (store, peer) => {
			const racers = Array.from({ length: 50 }, (_, index) =>
				index % 2 ? store : peer,
			);
			for (const deliveryId of ["c/race", null]) {
				const copy = event({ deliveryId });
				const results = await Promise.all(
					racers.map(async (each) => each.put(copy)),
				);
				const stored = results.filter(({ state }) => state === "stored").length;
				check(stored === 1, `one to be stored, got ${stored}`);
			}
			const taken = await Promise.all(
				racers.map((each) => take(each, { limit: 1 })),
			);
			check(
				taken.flat().length === 2,
				`two to be taken, got ${taken.flat().length}`,
			);
		},
	],
];
