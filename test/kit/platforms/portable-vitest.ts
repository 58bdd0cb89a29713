/**
 * The part of Vitest that runs in every runtime: bundles of suites get this file for `vitest`. Its `expect` is Vitest's own. Tests run one
 * after the other.
 */
import {
	chai,
	JestAsymmetricMatchers,
	JestChaiExpect,
	JestExtend,
} from "@vitest/expect";

type Body = (...row: unknown[]) => unknown;

interface Suite {
	readonly name: string;
	readonly parent: Suite | undefined;
	readonly after: (() => unknown)[];
}

/** The result of a run. */
export interface SuiteReport {
	readonly passed: number;
	/** The name of each test that failed, and why. */
	readonly failures: readonly string[];
}

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers])
	chai.use(plugin);

export const { expect } = chai;

const tests: { suite: Suite; name: string; body: () => unknown }[] = [];
let suite: Suite = { name: "", parent: undefined, after: [] };

/** Puts the row's members in the place of `$member`. */
const toTitle = (name: string, row: unknown): string =>
	name.replace(/\$(\w+)/g, (word, member) =>
		String((row as Record<string, unknown> | null)?.[member] ?? word),
	);

const withEach = (register: (name: string, body: () => unknown) => void) =>
	Object.assign(register, {
		each: (rows: readonly unknown[]) => (name: string, body: Body) => {
			for (const [index, row] of rows.entries())
				register(`${toTitle(name, row)} [${index}]`, () =>
					body(...(Array.isArray(row) ? row : [row])),
				);
		},
	});

export const describe = withEach((name, body) => {
	const parent = suite;
	suite = { name, parent, after: [] };
	body();
	suite = parent;
});

export const test = withEach((name, body) => {
	tests.push({ suite, name, body });
});
export const it = test;

export const afterEach = (hook: () => unknown): void => {
	suite.after.push(hook);
};

/** Runs every test that was registered. */
export async function runTests(): Promise<SuiteReport> {
	const failures: string[] = [];
	for (const { suite, name, body } of tests) {
		try {
			await body();
		} catch (error) {
			failures.push(`${suite.name} ${name}: ${(error as Error)?.stack}`);
		}
		for (let of: Suite | undefined = suite; of; of = of.parent)
			for (const hook of of.after) await hook();
	}
	return { passed: tests.length - failures.length, failures };
}
