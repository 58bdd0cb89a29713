import type {
	InboxEvent,
	InboxItem,
	InboxStore,
	Settlement,
} from "../inbox/inbox-store.ts";
import { check } from "./check.ts";
import type { TestClock } from "./clock.ts";

/* The actions and expectations that the checks of an inbox store share. */

export const LEASE_MS = 60_000;
export const TTL_MS = 3_600_000;
const ALL = ["lead_created", "lead_updated", "deal_created"];
export const DONE: Settlement = { state: "done", ttlMs: TTL_MS };
export const DEAD: Settlement = { state: "dead", ttlMs: TTL_MS, error: "no" };

let events = 0;
/** An event. By default it has a record of its own. */
export const event = (more: Partial<InboxEvent> = {}): InboxEvent => {
	const n = ++events;
	return {
		fingerprint: `v1:${n}`,
		deliveryId: `c/${n}`,
		entityId: `c/lead/${n}`,
		sequence: n,
		supersedes: false,
		eventId: "lead_created",
		body: `{"lead":{"n":${n}}}`,
		envelope: `{"n":${n}}`,
		...more,
	};
};

let fences = 0;
export const take = async (store: InboxStore, more: object = {}) =>
	store.take({
		eventIds: ALL,
		limit: 10,
		fence: `f${++fences}`,
		leaseMs: LEASE_MS,
		...more,
	});

export async function takeOne(store: InboxStore): Promise<InboxItem> {
	const [item, ...more] = await take(store);
	check(item !== undefined && more.length === 0, "one event to take");
	return item;
}

export async function put(store: InboxStore, more?: Partial<InboxEvent>) {
	const stored = event(more);
	const { state } = await store.put(stored);
	check(state === "stored", `the event to be stored, got ${state}`);
	return stored;
}

export async function expectPut(
	store: InboxStore,
	state: "stored" | "duplicate",
	copy: InboxEvent,
): Promise<void> {
	const result = await store.put(copy);
	check(result.state === state, `${state}, got ${result.state}`);
}

export async function run(store: InboxStore, more?: Partial<InboxEvent>) {
	const stored = await put(store, more);
	const item = await takeOne(store);
	check(await store.settle(item, DONE), "the event to be settled");
	return stored;
}

export async function expectStats(
	store: InboxStore,
	expected: object,
): Promise<void> {
	const stats: Record<string, unknown> = { ...(await store.stats()) };
	for (const [name, value] of Object.entries(expected))
		check(stats[name] === value, `${name} ${value}, got ${stats[name]}`);
}

type Check = (
	store: InboxStore,
	peer: InboxStore,
	clock: TestClock,
) => Promise<void>;

/** A title and its check, which gets an empty store with two connections. */
export type NamedCheck = readonly [name: string, check: Check];
