import { expect, test } from "vitest";
import { ADAPTERS } from "../kit/endpoints/adapters.ts";
import { missedBy, mount } from "./targets.ts";

test.each(ADAPTERS)("$name passes every check", async (adapter) => {
	expect(await missedBy(await mount(adapter), 10_000)).toEqual([]);
});
