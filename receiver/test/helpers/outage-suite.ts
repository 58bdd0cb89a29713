import type { DedupStore } from "@partnerwire/receiver";
import { createTestClock } from "@partnerwire/receiver/testing";
import { describe, expect, test } from "vitest";
import { ADAPTERS } from "#kit/endpoints/adapters.ts";
import { tok } from "#kit/endpoints/tokens.ts";
import { expectOk, expectRefusal } from "../cases/case.ts";
import { type ClientName, openStore } from "./open-store.ts";
import { claimOf, newSpace } from "./shared-store-suite.ts";
import { openStallingProxy } from "./stalling-proxy.ts";
import { openWorld } from "./world.ts";

/** The store's server, which the suite stops and starts. */
export interface Server {
	readonly port: number;
	readonly url: string;
	/** Kills it, as in a crash. */
	stop(): Promise<void>;
	start(): Promise<void>;
}

const fetchAdapter = ADAPTERS[0] as (typeof ADAPTERS)[0];
const bearer = (jti: string) => ({ authorization: `Bearer ${tok({ jti })}` });

/** The store, with a promise of the next claim that is committed or released. */
function watchSettling(store: DedupStore) {
	let told = (): void => {};
	const watched: DedupStore = {
		...store,
		commit: async (...request) => {
			const isCommitted = await store.commit(...request);
			told();
			return isCommitted;
		},
		release: async (ticket) => {
			const isReleased = await store.release(ticket);
			told();
			return isReleased;
		},
	};
	const nextSettling = () =>
		new Promise<void>((resolve) => {
			told = resolve;
		});
	return { watched, nextSettling };
}

/** Tests a receiver whose store's server or network is gone, with a real server and real sockets. */
export function describeOutages(
	clients: readonly ClientName[],
	server: () => Server,
): void {
	describe.each(clients)("F09 %s", (client) => {
		test("the server restarts in the middle: nothing that was committed runs again, a claim is still held", async () => {
			const place = { client, at: server().url, space: newSpace() };
			const { store, close } = await openStore({ ...place, clock: undefined });
			const world = await openWorld(fetchAdapter, {
				dedup: store,
				onStoreError: "closed",
				storeTimeoutMs: 2_000,
			});
			expectOk(await world.send(bearer("1")));
			expect(
				(await store.claim({ ...claimOf("held"), leaseMs: 600_000 })).state,
			).toBe("claimed");
			await server().stop();
			expectRefusal(await world.send(bearer("2")), "STORE_UNAVAILABLE");
			expect(world.log.join()).toContain("dedup store");
			await server().start();
			// The client reconnects by itself. Until then the event is refused, but never runs twice.
			let answer = await world.send(bearer("1"));
			while (answer.status === 503) answer = await world.send(bearer("1"));
			expectOk(answer, { duplicate: true });
			expect((await store.claim(claimOf("held"))).state).toBe("running");
			expectOk(await world.send(bearer("2")));
			expect(world.runs.map(({ claims }) => claims.jti)).toEqual(["1", "2"]);
			await world.close();
			await close();
		});

		test.each(["open", "closed"] as const)(
			"the network stalls: the answer comes in time, and it is told (%s)",
			async (onStoreError) => {
				const proxy = await openStallingProxy(server().port);
				const at = server().url.replace(
					String(server().port),
					String(proxy.port),
				);
				const { store, close } = await openStore({
					client,
					at,
					space: newSpace(),
					clock: createTestClock(Date.now()).now,
				});
				const { watched, nextSettling } = watchSettling(store);
				const world = await openWorld(fetchAdapter, {
					dedup: watched,
					onStoreError,
					storeTimeoutMs: 1_000,
				});
				expectOk(await world.send(bearer("1")));
				proxy.stall();
				const settled = nextSettling();
				// The server cannot answer until the network is back. So an answer now shows that the time limit works.
				const answer = await world.send(bearer("2"));
				if (onStoreError === "open") expectOk(answer);
				else expectRefusal(answer, "STORE_UNAVAILABLE");
				expect(world.log.length).toBe(1);
				expect(world.log[0]).toContain("takes over 1000 ms");
				expect(world.seen.at(-1)?.dedup).toBe(
					onStoreError === "open" ? "unavailable" : undefined,
				);
				proxy.resume();
				// The late claim is settled by the result of its work: committed, or released for the retry.
				await settled;
				expectOk(
					await world.send(bearer("2")),
					onStoreError === "open" ? { duplicate: true } : undefined,
				);
				expect(world.runs.length).toBe(2);
				await world.close();
				await close();
				await proxy.close();
			},
		);
	});
}
