import type { InboxStore } from "../inbox/inbox-store.ts";
import type { Awaitable } from "../verify/platform-crypto.ts";
import type { TestFunctions } from "./check.ts";
import { createTestClock, type TestClock } from "./clock.ts";
import { DUPLICATE_CHECKS } from "./inbox-duplicate-checks.ts";
import { QUEUE_CHECKS } from "./inbox-queue-checks.ts";

/** An inbox store under test. */
export interface InboxStoreFixture {
	store: InboxStore;
	/** The same events over another connection. */
	peer: InboxStore;
	close?(): Awaitable<void>;
}

/** Opens an empty store on the clock that the suite moves. */
export type OpenInboxStore = (clock: TestClock) => Awaitable<InboxStoreFixture>;

/**
 * The contract of `InboxStore` as a test suite, for any test runner.
 *
 * @example
 * describeInboxStore("my store", (clock) => openMyStore(clock.now), { describe, it });
 */
export function describeInboxStore(
	name: string,
	open: OpenInboxStore,
	{ describe, it }: TestFunctions,
): void {
	describe(`inbox store: ${name}`, () => {
		for (const [title, body] of [...DUPLICATE_CHECKS, ...QUEUE_CHECKS])
			it(title, async () => {
				const clock = createTestClock();
				const { store, peer, close } = await open(clock);
				try {
					await body(store, peer, clock);
				} finally {
					await close?.();
				}
			});
	});
}
