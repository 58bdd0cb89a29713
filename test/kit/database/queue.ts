import {
	type AttemptOutcome,
	type ClaimedDelivery,
	type ClaimOptions,
	type ClaimRoom,
	claimDue,
	recordAttempts,
} from "@partnerwire/core";
import {
	addIntegration,
	addPartner,
	openTestCore,
	rowsOf,
	type TestCore,
} from "./open-core.ts";

export type Outcome = AttemptOutcome["outcome"];

/** The outcome of an attempt as a worker would report it. */
export const toOutcome = (
	delivery: ClaimedDelivery,
	outcome: Outcome,
	nextAttemptAt: number | null = null,
): AttemptOutcome => ({
	delivery,
	outcome,
	nextAttemptAt,
	dueRule: outcome === "retry" ? "schedule" : null,
	passAt: null,
	pause: null,
	attempt: {
		startedAt: 0,
		durationMs: 5,
		status: outcome === "delivered" ? 200 : 500,
		message: outcome === "delivered" ? null : "the answer was 500",
		retriedOnReset: false,
	},
});

export interface TestQueue extends TestCore {
	readonly integrationId: string;
	/** Creates a lead, which has its own lane. */
	addLead(): Promise<string>;
	/** Changes a lead, which adds one delivery to its lane. */
	touch(lead: string): Promise<void>;
	claim(
		options?: Partial<ClaimOptions & ClaimRoom>,
	): Promise<ClaimedDelivery[]>;
	recordAll(
		deliveries: readonly ClaimedDelivery[],
		outcome: Outcome,
		nextAttemptAt?: number,
	): Promise<number>;
	pause(): Promise<unknown>;
	resume(ratePerSecond?: number): Promise<unknown>;
	health(): Promise<Record<string, unknown>>;
	deliveries(): ReturnType<typeof rowsOf<"delivery">>;
}

/** Opens the core with one integration that is subscribed to leads, and the worker's calls on the queue. */
export async function openQueue(
	integration: Parameters<typeof addIntegration>[2] = {},
): Promise<TestQueue> {
	const core = await openTestCore();
	const { caller, clock, store } = core;
	const partnership_uuid = await addPartner(core, caller);
	const { id } = await addIntegration(core, caller, integration);
	const params = { integration_id: id };
	let changes = 0;
	return {
		...core,
		integrationId: id,
		addLead: async () =>
			(await core.execute("createLead", { body: { partnership_uuid } }, caller))
				.uuid,
		async touch(uuid) {
			const body = { company_name: `Name ${++changes}` };
			await core.execute("updateLead", { params: { uuid }, body }, caller);
		},
		claim: (options) =>
			claimDue(store, {
				nowMs: clock(),
				limit: 100,
				leaseMs: 60_000,
				...options,
			}),
		recordAll: (deliveries, outcome, nextAttemptAt) =>
			recordAttempts(
				store,
				deliveries.map((delivery) =>
					toOutcome(delivery, outcome, nextAttemptAt),
				),
				clock(),
			),
		pause: () => core.execute("pauseIntegration", { params }, caller),
		resume: (rate_per_second) =>
			core.execute(
				"resumeIntegration",
				{ params, body: { rate_per_second } },
				caller,
			),
		health: async () =>
			(await core.execute("getIntegration", { params }, caller)).health,
		deliveries: () => rowsOf(core, "delivery"),
	};
}

export const sequencesOf = (deliveries: readonly { sequence: number }[]) =>
	deliveries.map(({ sequence }) => sequence).sort((a, b) => a - b);

/** `Map.groupBy`, which Node 20 does not have. */
export function groupBy<Item, Key>(
	items: readonly Item[],
	toKey: (item: Item) => Key,
): Item[][] {
	const groups = new Map<Key, Item[]>();
	for (const item of items) {
		const key = toKey(item);
		groups.set(key, [...(groups.get(key) ?? []), item]);
	}
	return [...groups.values()];
}
