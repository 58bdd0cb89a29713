import fc from "fast-check";
import { expect, test } from "vitest";
import {
	moveKeys,
	toKeyCursor,
} from "../../src/webhook-events/watched-keys.ts";

interface Step {
	readonly do: "begin" | "look" | "add" | "commit" | "abort";
	/** Selects one of the open transactions. */
	readonly which: number;
}

const which = fc.nat({ max: 7 });
const steps = fc.array(
	fc.oneof(
		{ weight: 2, arbitrary: fc.constant<Step>({ do: "begin", which: 0 }) },
		{ weight: 3, arbitrary: fc.constant<Step>({ do: "look", which: 0 }) },
		...(["add", "add", "commit", "abort"] as const).map((what) => ({
			weight: 2,
			arbitrary: fc.record<Step>({ do: fc.constant(what), which }),
		})),
	),
	{ maxLength: 60 },
);

/** A server whose transactions take keys in turn and end in any order, with a reader of the new keys. */
function createServer() {
	let nextKey = 1;
	let nextTransaction = 1;
	const open = new Map<number, number[]>();
	const committed = new Set<number>();
	const reported: number[] = [];
	let cursor = toKeyCursor(0);
	const nth = (which: number) => [...open.keys()][which % open.size] ?? 0;
	const server = {
		reported,
		committed,
		gaps: () => cursor.gaps.size,
		begin: () => void open.set(nextTransaction++, []),
		add: (which: number) => open.get(nth(which))?.push(nextKey++),
		end(which: number, commits: boolean) {
			const one = nth(which);
			if (commits) for (const key of open.get(one) ?? []) committed.add(key);
			open.delete(one);
		},
		endAll() {
			while (open.size > 0) server.end(0, true);
		},
		look() {
			const horizon = {
				from: Math.min(nextTransaction, ...open.keys()),
				to: nextTransaction,
			};
			const found = [...committed]
				.filter((key) => key > cursor.after || cursor.gaps.has(key))
				.sort((a, b) => a - b);
			reported.push(...found);
			cursor = moveKeys(cursor, found, horizon);
		},
	};
	return server;
}

test("whatever the order in which transactions end, each committed key is reported once, and nothing is looked for in the end", () => {
	fc.assert(
		fc.property(steps, (all) => {
			const server = createServer();
			for (const step of all) {
				if (step.do === "begin") server.begin();
				else if (step.do === "look") server.look();
				else if (step.do === "add") server.add(step.which);
				else server.end(step.which, step.do === "commit");
			}
			server.endAll();
			for (let times = 0; times < 3; times++) server.look();
			expect([...server.reported].sort((a, b) => a - b)).toEqual(
				[...server.committed].sort((a, b) => a - b),
			);
			expect(server.gaps()).toBe(0);
		}),
		{ numRuns: 2000 },
	);
});

test("where keys are committed in their order nothing is looked for again", () => {
	expect(moveKeys(toKeyCursor(3), [5, 9], null)).toEqual(toKeyCursor(9));
});
