import type { Kit } from "./kit.ts";
import type { Answer, Shot } from "./send-shot.ts";

/** The answers that pass. */
export interface Expected {
	/** The text in the table of results. */
	readonly text: string;
	readonly allows: (answer: Answer) => boolean;
}

const status = (
	text: string,
	isFit: (status: number) => boolean,
): Expected => ({
	text,
	allows: ({ kind, status: found }) =>
		kind === "answered" && found !== null && isFit(found),
});
const isRefusal = (found: number) => found >= 400 && found < 500;

export const OK = status("200", (found) => found === 200);
export const UNAUTHORIZED = status("401", (found) => found === 401);
export const REFUSED = status("4xx", isRefusal);
export const NO_FAULT = status(
	"200 or 4xx",
	(found) => found === 200 || isRefusal(found),
);
export const NOT_OK = status("not 2xx", (found) => found < 200 || found > 299);
/** For simultaneous copies: statuses that make a sender try again are right too. */
export const OK_OR_LATER = status("200, 409, 425, 429 or 503", (found) =>
	[200, 409, 425, 429, 503].includes(found),
);
export const REFUSED_OR_CLOSED: Expected = {
	text: "4xx, or closed",
	allows: (answer) => answer.kind === "closed" || REFUSED.allows(answer),
};

/** `must`: the contract or an RFC requires it. `should`: it is safer, and a failure only warns. */
export type Level = "must" | "should";

/** One check of a receiver. */
export interface Check {
	/** Its name in the table and in JSON, such as `token/alg-none`. */
	readonly id: string;
	readonly title: string;
	readonly level: Level;
	readonly expected: Expected;
	/** The contract's or the RFC's section that requires it. */
	readonly source: string;
	/** Advice for the case that it fails. */
	readonly advice: string;
	/** Sends the check's requests and resolves to the answers. */
	run(kit: Kit): Promise<readonly Answer[]>;
	/** Finds the answer that fails the check; by default the first unexpected one. */
	judge?(answers: readonly Answer[]): Answer | undefined;
}

/** A check that sends its requests one after the other. */
export const sends =
	(...makers: readonly ((kit: Kit) => Promise<Shot>)[]): Check["run"] =>
	async (kit) => {
		const answers: Answer[] = [];
		for (const make of makers) answers.push(await kit.send(await make(kit)));
		return answers;
	};
