import type { Check, Level } from "./check.ts";
import { BODY_CHECKS } from "./checks/body.ts";
import { CLAIM_CHECKS } from "./checks/claims.ts";
import {
	BASELINE,
	DELIVERY_CHECKS,
	DUPLICATE_CHECKS,
	SLOW_CHECKS,
} from "./checks/delivery.ts";
import { HEADER_CHECKS } from "./checks/header.ts";
import { TOKEN_CHECKS } from "./checks/token.ts";
import { createKit } from "./kit.ts";
import { type Answer, sendShot } from "./send-shot.ts";

/** All checks, in order. The last one checks that the receiver is still up. */
export const CHECKS: readonly Check[] = [
	BASELINE,
	...DELIVERY_CHECKS,
	...TOKEN_CHECKS,
	...CLAIM_CHECKS,
	...HEADER_CHECKS,
	...BODY_CHECKS,
	...DUPLICATE_CHECKS,
	...SLOW_CHECKS,
	{
		...BASELINE,
		id: "delivery/still-right",
		title: "a right delivery, after all of that",
		advice:
			"Something above broke it: nothing that comes in may end the process.",
	},
];

/** The result of one check. */
export interface CheckResult {
	readonly check: string;
	readonly title: string;
	readonly level: Level;
	readonly passed: boolean;
	readonly expected: string;
	/** The status, or what happened instead of an answer. */
	readonly answered: string;
	readonly source: string;
	/** Null if the check passed. */
	readonly advice: string | null;
	readonly durationMs: number;
}

export interface TortureOptions {
	readonly url: URL;
	readonly secret: string;
	/** The longest wait for an answer; by default 10 s, as for the service. */
	readonly timeoutMs?: number;
	/** Called after each check. */
	readonly onResult?: (result: CheckResult) => void;
	readonly clock?: () => number;
}

/**
 * Runs every check on a receiver, one after the other. Ends after the first if the receiver does not acknowledge a valid
 * delivery: a receiver that refuses everything would pass most of the others.
 */
export async function runTorture(
	options: TortureOptions,
): Promise<CheckResult[]> {
	const o = { timeoutMs: 10_000, clock: () => Date.now(), ...options };
	const kit = createKit(
		o.secret,
		(shot) => sendShot(o.url, shot, o.timeoutMs),
		o.clock,
	);
	const results: CheckResult[] = [];
	for (const check of CHECKS) {
		const startedMs = performance.now();
		const answers = await check.run(kit);
		const result = toResult(check, answers, o.timeoutMs, startedMs);
		results.push(result);
		o.onResult?.(result);
		if (check === BASELINE && !result.passed) break;
	}
	return results;
}

function toResult(
	check: Check,
	answers: readonly Answer[],
	timeoutMs: number,
	startedMs: number,
): CheckResult {
	const { id, title, level, expected, source } = check;
	const judge =
		check.judge ?? ((all) => all.find((answer) => !expected.allows(answer)));
	const fault = judge(answers);
	return {
		check: id,
		title,
		level,
		passed: fault === undefined,
		expected: expected.text,
		answered: describe(fault ?? answers.at(-1), timeoutMs),
		source,
		advice: fault ? check.advice : null,
		durationMs: Math.round(performance.now() - startedMs),
	};
}

function describe(answer: Answer | undefined, timeoutMs: number): string {
	if (answer?.kind === "silent") return `nothing in ${timeoutMs / 1000} s`;
	if (answer?.kind === "closed") return "the connection was closed";
	return String(answer?.status);
}
