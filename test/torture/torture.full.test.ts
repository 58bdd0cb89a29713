import { expect, test } from "vitest";
import { ADAPTERS } from "../kit/endpoints/adapters.ts";
import { PARSED_FIRST } from "../kit/endpoints/fetch-adapters.ts";
import { missedBy, mount } from "./targets.ts";

/** A parser that comes first waits for the whole body, and answers what it cannot parse, before the token is checked. */
const BEHIND_PARSER = [
	"body/forged-not-json",
	"body/forged-encoding",
	"slow/forged",
	"slow/right",
];

test.each(ADAPTERS)("$name passes every check", async (adapter) => {
	expect(await missedBy(await mount(adapter), 10_000)).toEqual(
		adapter.leavesOut === PARSED_FIRST ? BEHIND_PARSER : [],
	);
});
