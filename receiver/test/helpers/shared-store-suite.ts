import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import {
	createTestClock,
	describeDedupStore,
} from "@partnerwire/receiver/testing";
import { afterAll, beforeAll, describe, expect, it, test, vi } from "vitest";
import { buildChild, openChildStore } from "./child-store.ts";
import { type ClientName, openStore } from "./open-store.ts";

let spaces = 0;
/** A prefix or table that no other test uses. */
export const newSpace = () => `dedup_${++spaces}`;

/** Tests a store over a server with each of its drivers: the conformance suite in one and in two processes, and the store's clock. */
export function describeSharedStore(
	clients: readonly ClientName[],
	url: () => string,
): void {
	let program = "";
	beforeAll(async () => {
		// In the tests' folder, so that the bundle finds the drivers.
		program = await buildChild(
			mkdtempSync(join(import.meta.dirname, "../.child-")),
		);
	});
	afterAll(() => rmSync(join(program, ".."), { recursive: true }));

	clients.forEach((client, index) => {
		// Each driver's peer uses the next driver, so that this also tests that they agree with each other.
		const other = clients[(index + 1) % clients.length] as ClientName;
		describeDedupStore(
			`${client}, and a process with ${other}`,
			async (clock, need) => {
				const place = { client, at: url(), space: newSpace() };
				const own = await openStore({ ...place, clock: clock.now });
				if (!need.peer) return own;
				const peer = await openChildStore(
					program,
					{ ...place, client: other },
					clock,
				);
				return {
					store: own.store,
					peer: peer.store,
					close: async () => {
						await peer.close();
						await own.close();
					},
				};
			},
			{ describe, it },
			{ hasPeer: true },
		);

		describe(`${client}: details`, () => {
			test("F03 a killed process's claim is taken over after its lease", async () => {
				const clock = createTestClock();
				const place = { client, at: url(), space: newSpace() };
				const { store, close } = await openStore({
					...place,
					clock: clock.now,
				});
				const peer = await openChildStore(program, place, clock);
				expect((await peer.store.claim(claimOf("a"))).state).toBe("claimed");
				peer.child.kill("SIGKILL");
				await peer.close();
				expect((await store.claim(claimOf("a"))).state).toBe("running");
				clock.advance(15_000);
				expect((await store.claim(claimOf("a"))).state).toBe("claimed");
				await close();
			});

			test("F15 time is the server's: this process's clock may be a year off", async () => {
				const place = { client, at: url(), space: newSpace() };
				const { store, close } = await openStore({
					...place,
					clock: undefined,
				});
				try {
					expect((await store.claim(claimOf("a"))).state).toBe("claimed");
					vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3e10 });
					expect((await store.claim(claimOf("a"))).state).toBe("running");
					vi.setSystemTime(0);
					expect((await store.claim(claimOf("a"))).state).toBe("running");
				} finally {
					vi.useRealTimers();
					await close();
				}
			});

			test("takes what a sender may write: NUL, lone surrogates, megabytes", async () => {
				const { store, close } = await openStore({
					client,
					at: url(),
					space: newSpace(),
					clock: createTestClock().now,
				});
				const odd = [
					"\0",
					"\ud800",
					"\udc00",
					"'; drop table x; --",
					"\\",
					"{}",
				];
				for (const text of [...odd, "x".repeat(2 ** 20)]) {
					const request = {
						...claimOf(`v1:${text}`),
						deliveryId: `c/${text}`,
						entityId: `c/lead/${text}`,
						sequence: Number.MAX_SAFE_INTEGER,
						leaseMs: 0.5,
					};
					const claimed = await store.claim(request);
					if (claimed.state !== "claimed") throw new Error(claimed.state);
					expect(await store.commit(claimed.ticket, 999.5)).toBe(true);
					expect((await store.claim(request)).state).toBe("done");
					expect(await store.forget(request.fingerprint)).toBe(1);
				}
				await close();
			});
		});
	});
}

/** A claim request for a payload. */
export const claimOf = (fingerprint: string) => ({
	fingerprint,
	deliveryId: `c/${fingerprint}`,
	entityId: `c/deal/${fingerprint}`,
	sequence: 1,
	supersedes: false,
	leaseMs: 15_000,
});
