/** Node's timers fire at once if they are longer. */
const LONGEST_MS = 2 ** 31 - 1;

const isCount = (value: number) => Number.isSafeInteger(value) && value >= 1;
const isTimeLimit = (value: number) => value > 0 && value <= LONGEST_MS;
const COUNT = { isWell: isCount, what: "a whole number from 1" };
const TIME_LIMIT = {
	isWell: isTimeLimit,
	what: `a number of milliseconds above 0 and at most ${LONGEST_MS}`,
};
const RULES = {
	connectTimeoutMs: TIME_LIMIT,
	answerTimeoutMs: TIME_LIMIT,
	connections: COUNT,
	maxOrigins: COUNT,
} as const;

/** Throws for options that cannot work, such as 0 connections. */
export function checkWireOptions(
	options: {
		readonly [Name in keyof typeof RULES]?: unknown;
	},
): void {
	for (const name of Object.keys(RULES) as (keyof typeof RULES)[]) {
		const value = options[name];
		const { isWell, what } = RULES[name];
		if (value === undefined || (typeof value === "number" && isWell(value)))
			continue;
		throw new TypeError(`${name} must be ${what}, not ${String(value)}`);
	}
}
