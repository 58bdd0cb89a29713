import { expect, test } from "vitest";
import { createClaimOrder } from "../../src/worker/claim-order.ts";

test("of eight claims one is plain, and both kinds go on where they were", () => {
	const rounds = createClaimOrder();
	const begun = { free: [] as number[], plain: [] as number[] };
	for (let claim = 1; claim <= 24; claim++) {
		const { freeFirst, last } = rounds.next();
		(freeFirst ? begun.free : begun.plain).push(last.quick);
		last.quick = claim;
	}
	expect(begun.plain).toEqual([0, 8, 16]);
	expect(begun.free).toHaveLength(21);
	expect(begun.free.slice(5, 9)).toEqual([5, 6, 7, 9]);
});
