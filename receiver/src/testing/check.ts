/** The functions of a test runner: vitest, jest, mocha and `node:test` have these. */
export interface TestFunctions {
	describe(name: string, body: () => void): void;
	it(name: string, body: () => Promise<void>): void;
}

/** Throws unless `holds`. The suites use no runner's assertions, so that they run in any. */
export function check(holds: boolean, what: string): asserts holds {
	if (!holds) throw new Error(`expected ${what}`);
}
