/** All cases of the receiver as a suite, for Vitest and for the runtimes of `../platforms`. */
import { afterEach, describe, expect, test } from "vitest";
import type { Adapter } from "#kit/endpoints/fetch-adapters.ts";
import { GOOD, SECRET } from "#kit/endpoints/tokens.ts";
import { IS_WORKER, openWorld, type World } from "../helpers/world.ts";
import { ACKNOWLEDGEMENT_CASES } from "./acknowledgement.ts";
import { AUTHORIZATION_CASES } from "./authorization.ts";
import { BODY_CASES } from "./body.ts";
import { DEDUP_CASES } from "./dedup.ts";
import { JSON_CASES } from "./json.ts";
import { ROUTING_CASES } from "./routing.ts";
import { SECRET_CASES } from "./secret.ts";
import { TOKEN_CASES } from "./token.ts";
import { TOKEN_TIME_CASES } from "./token-time.ts";

const CASES = [
	...BODY_CASES,
	...JSON_CASES,
	...AUTHORIZATION_CASES,
	...TOKEN_CASES,
	...TOKEN_TIME_CASES,
	...SECRET_CASES,
	...DEDUP_CASES,
	...ACKNOWLEDGEMENT_CASES,
	...ROUTING_CASES,
];

/** Runs each case on each of these adapters to which it applies. */
export function describeCases(adapters: readonly Adapter[]): void {
	describe.each(adapters)("$name", (adapter) => {
		let world: World | undefined;
		afterEach(() => world?.close());

		test.each(
			CASES.filter(
				(each) =>
					(each.on?.(adapter) ?? true) &&
					!adapter.leavesOut?.includes(each.id) &&
					!(each.isAdvice && IS_WORKER),
			),
		)("$id $title", async (each) => {
			world = await openWorld(adapter, each.options);
			const { send } = world;
			world.send = async (shot) => {
				const answer = await send(shot);
				// In every case: no answer contains a token or a secret.
				expect(answer.text.toLowerCase()).not.toContain(SECRET);
				expect(answer.text).not.toContain(GOOD.slice(-43));
				return answer;
			};
			await each.run(world, adapter);
			expect(world.log.join().toLowerCase()).not.toContain(SECRET);
			expect(world.log.join()).not.toContain(GOOD.slice(-43));
		});
	});
}
