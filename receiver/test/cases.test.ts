import { afterEach, describe, expect, test } from "vitest";
import { ADAPTERS } from "#kit/endpoints/adapters.ts";
import { GOOD, SECRET } from "#kit/endpoints/tokens.ts";
import { ACKNOWLEDGEMENT_CASES } from "./cases/acknowledgement.ts";
import { AUTHORIZATION_CASES } from "./cases/authorization.ts";
import { BODY_CASES } from "./cases/body.ts";
import { DEDUP_CASES } from "./cases/dedup.ts";
import { JSON_CASES } from "./cases/json.ts";
import { ROUTING_CASES } from "./cases/routing.ts";
import { SECRET_CASES } from "./cases/secret.ts";
import { TOKEN_CASES } from "./cases/token.ts";
import { TOKEN_TIME_CASES } from "./cases/token-time.ts";
import { openWorld, type World } from "./helpers/world.ts";

/** Runs each case on each adapter to which it applies. */
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

describe.each(ADAPTERS)("$name", (adapter) => {
	let world: World | undefined;
	afterEach(() => world?.close());

	test.each(CASES.filter((each) => each.on?.(adapter) ?? true))(
		"$id $title",
		async (each) => {
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
		},
	);
});
