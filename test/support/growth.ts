/** The sizes that are compared: a quadratic step costs a hundred times more for each byte of the large one. */
const SMALL = 10_000;
const LARGE = 1_000_000;
/** Between linear and quadratic: a logarithm, memory that no cache holds and a busy machine stay far below. */
export const MOST_GROWTH = 20;
/** Less than this is no attack, however it grew: below it a machine's noise decides. */
const FREE_MS = 50;
/** A tenth of the largest input that takes so long is not linear on any machine. */
const HOPELESS_MS = 8_000;

/** Processor time: what else runs on the machine does not count. */
const timeOf = async (work: () => unknown): Promise<number> => {
	const start = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(start);
	return (user + system) / 1000;
};

async function bestOf(runs: number, work: () => unknown): Promise<number> {
	let best = Number.POSITIVE_INFINITY;
	for (let run = 0; run < runs; run++)
		best = Math.min(best, await timeOf(work));
	return best;
}

/**
 * By how much the work on a byte grows from a small input to the largest one that its entry point admits; at most `MOST_GROWTH`
 * if its time is linear. `prepare` makes an input of about that many bytes, untimed, and gives back the work on it, which may be
 * done again.
 */
export async function growthOf(
	prepare: (bytes: number) => () => unknown,
	{ largest = LARGE } = {},
): Promise<number> {
	// Hours of a quadratic step are not waited for, and what is far from it costs no more time.
	const middleMs = await timeOf(prepare(largest / 10));
	if (middleMs > HOPELESS_MS) return Number.POSITIVE_INFINITY;
	if (middleMs * 100 < FREE_MS) return 0;
	const smallMs = await bestOf(20, prepare(SMALL));
	const growthAt = (bytes: number, ms: number) =>
		ms < FREE_MS ? 0 : ms / bytes / (smallMs / SMALL);
	const large = prepare(largest);
	let largeMs = await timeOf(large);
	for (let run = 0; run < 4 && growthAt(largest, largeMs) > MOST_GROWTH; run++)
		largeMs = Math.min(largeMs, await timeOf(large));
	return growthAt(largest, largeMs);
}
