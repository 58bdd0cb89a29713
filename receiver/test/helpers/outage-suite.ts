import type { DedupStore } from "@partnerwire/receiver";
import { createTestClock } from "@partnerwire/receiver/testing";
import { describe, expect, test } from "vitest";
import { expectOk, expectRefusal } from "../cases/case.ts";
import { ADAPTERS } from "./adapters.ts";
import { type ClientName, openStore } from "./open-store.ts";
import { claimOf, newSpace } from "./shared-store-suite.ts";
import { openStallingProxy } from "./stalling-proxy.ts";
import { tok } from "./tokens.ts";
import { openWorld } from "./world.ts";

/** The server under the store, which the suite stops and starts. */
export interface Server {
	readonly port: number;
	readonly url: string;
	/** Ends it at once, as a crash does. */
	stop(): Promise<void>;
	start(): Promise<void>;
}

const fetchAdapter = ADAPTERS[0] as (typeof ADAPTERS)[0];
const bearer = (jti: string) => ({ authorization: `Bearer ${tok({ jti })}` });

/** The store, and how to wait for the next claim in it that is committed or released. */
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

/** What a receiver does while its store's server is gone or its network is: F09, on a real server and over real sockets. */
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
			// The client finds its way back by itself; until then it is refused, never run twice.
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
				// The server does not answer at all until the network is back, so an answer now is one within the limit.
				const answer = await world.send(bearer("2"));
				if (onStoreError === "open") expectOk(answer);
				else expectRefusal(answer, "STORE_UNAVAILABLE");
				expect(world.log.length).toBe(1);
				expect(world.log[0]).toContain("takes over 1000 ms");
				expect(world.seen.at(-1)?.dedup).toBe(
					onStoreError === "open" ? "unavailable" : undefined,
				);
				proxy.resume();
				// What the claim became while nobody waited is settled by how its work ended: committed, or free for the retry.
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
