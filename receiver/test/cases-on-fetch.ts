/** The suites of the receiver that need nothing of Node, for the other runtimes (`platforms.full.test.ts`). */
import { memoryStore } from "@partnerwire/receiver";
import { describeDedupStore } from "@partnerwire/receiver/testing";
import { describe, it } from "vitest";
import { FETCH_ADAPTERS } from "#kit/endpoints/fetch-adapters.ts";
import { describeCases } from "./cases/describe-cases.ts";

describeCases(FETCH_ADAPTERS);
describeDedupStore(
	"memory",
	(clock) => ({ store: memoryStore({ clock: clock.now }) }),
	{ describe, it },
);
