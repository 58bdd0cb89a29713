import { check } from "./check.ts";
import {
	DEAD,
	DONE,
	event,
	expectPut,
	expectStats,
	type NamedCheck,
	put,
	run,
	TTL_MS,
	take,
	takeOne,
} from "./inbox-actions.ts";

/** Checks which events are stored and which are duplicates. */
export const DUPLICATE_CHECKS: readonly NamedCheck[] = [
	[
		"gives what was put, once, and forgets its content when it is done",
		async (store, peer) => {
			const stored = await put(store, {
				body: '{"lead":{"name":"Zoë 🎉 \\u0000"}}',
			});
			const item = await takeOne(peer);
			check(item.body === stored.body, "the body");
			check(item.envelope === stored.envelope, "the envelope");
			check(item.eventId === stored.eventId, "the event id");
			check(item.fingerprint === stored.fingerprint, "the fingerprint");
			check(item.attempt === 1, "the first attempt");
			check(!item.stale && !item.conflict, "no flags");
			check((await take(store)).length === 0, "nothing else to take");
			check(await peer.settle(item, DONE), "the event to be settled");
			check(!(await peer.settle(item, DONE)), "it to be settled once");
			await expectPut(store, "duplicate", stored);
			await expectStats(store, {
				pending: 0,
				processing: 0,
				done: 1,
				dead: 0,
				oldestAgeMs: null,
			});
		},
	],
	[
		"calls a copy a duplicate while the first waits, runs, is done and is dead",
		async (store, peer, clock) => {
			const stored = await put(store);
			await expectPut(peer, "duplicate", stored);
			const item = await takeOne(store);
			await expectPut(peer, "duplicate", stored);
			await store.settle(item, DEAD);
			await expectPut(peer, "duplicate", stored);
			clock.advance(TTL_MS);
			await expectPut(peer, "stored", stored);
			await expectStats(store, { pending: 1, dead: 1 });
		},
	],
	[
		"remembers a done event for its time, then removes it",
		async (store, _peer, clock) => {
			const stored = await run(store);
			clock.advance(TTL_MS - 1);
			await store.purge();
			await expectPut(store, "duplicate", stored);
			clock.advance(1);
			await store.purge();
			await expectStats(store, { done: 0 });
			await expectPut(store, "stored", stored);
		},
	],
	[
		"decides duplicates by delivery and payload",
		async (store) => {
			const first = await run(store);
			const other = event();
			const { state, ...flags } = await store.put({
				...first,
				fingerprint: "v1:other",
			});
			check(state === "stored", "another payload of the delivery to run");
			check(
				"conflict" in flags && flags.conflict === true,
				"it to be a conflict",
			);
			check((await takeOne(store)).conflict, "its attempt to be told");
			await expectPut(store, "stored", {
				...other,
				fingerprint: first.fingerprint,
				deliveryId: "c/another",
			});
			await expectPut(store, "duplicate", {
				...other,
				fingerprint: first.fingerprint,
				deliveryId: null,
			});
			const nameless = await put(store, { deliveryId: null });
			await expectPut(store, "duplicate", {
				...nameless,
				deliveryId: "c/late",
			});
		},
	],
	[
		"A → B → A without timestamps: three events, also while the first waits; A → A: one",
		async (store) => {
			const a = {
				deliveryId: null,
				sequence: null,
				supersedes: true,
				entityId: "c/deal/1",
			};
			const first = await put(store, a);
			await expectPut(store, "duplicate", first);
			await put(store, a);
			await expectPut(store, "stored", first);
			await expectPut(store, "duplicate", first);
		},
	],
];
