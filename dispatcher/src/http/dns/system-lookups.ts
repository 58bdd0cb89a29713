import { LRUCache } from "lru-cache";
import type { Resolve } from "../connections/connection.ts";

/** A name with all its callers. One lookup, waiting or running, answers all of them. */
interface Question {
	readonly host: string;
	readonly callbacks: Parameters<Resolve>[1][];
}

/** Lookups by getaddrinfo. Names that hang do not block libuv's threads for names that work. */
export interface SystemLookups {
	/** Whether the name was found quickly, not long ago. */
	isKnown(host: string): boolean;
	/** `now` is for names that are certainly answered at once, `last` for those that will probably hang. */
	ask(
		host: string,
		turn: "now" | "first" | "last",
		callback: Parameters<Resolve>[1],
	): void;
}

const KNOWN_FOR_MS = 5 * 60_000;
const QUICK_MS = 2_000;
const MOST = 1_024;

/**
 * libuv gives getaddrinfo two of its four threads. Names that are not known to work use one of them, one name at a time, so that the
 * other is free for names that work.
 */
export function createSystemLookups(
	lookup: Resolve,
	now: () => number,
): SystemLookups {
	const asked = new Map<string, Question>();
	/** The time until which a name counts as known, by its last lookup. 0 if it failed or was slow. */
	const outcomes = new LRUCache<string, number>({ max: MOST });
	const waiting = { first: [] as Question[], last: [] as Question[] };
	let isBusy = false;

	const run = ({ host, callbacks }: Question, onEnd: () => void) => {
		const startedAt = now();
		lookup(host, (error, addresses) => {
			const endedAt = now();
			const isWell = !error && endedAt - startedAt <= QUICK_MS;
			outcomes.set(host, isWell ? endedAt + KNOWN_FOR_MS : 0);
			asked.delete(host);
			onEnd();
			for (const callback of callbacks) callback(error, addresses);
		});
	};

	const runNext = () => {
		if (isBusy) return;
		const question = waiting.first.shift() ?? waiting.last.shift();
		if (!question) return;
		isBusy = true;
		run(question, () => {
			isBusy = false;
			runNext();
		});
	};

	const isKnown = (host: string) => (outcomes.get(host) ?? 0) > now();

	return {
		isKnown,
		ask(host, turn, callback) {
			const same = asked.get(host);
			if (same) {
				same.callbacks.push(callback);
				return;
			}
			if (asked.size >= MOST) {
				const error = new Error("too many host names wait to be looked up");
				callback(Object.assign(error, { code: "ETIMEDOUT" }), []);
				return;
			}
			const question = { host, callbacks: [callback] };
			asked.set(host, question);
			if (turn === "now" || isKnown(host)) return run(question, () => {});
			const hasFailed = outcomes.get(host) === 0;
			waiting[hasFailed ? "last" : turn].push(question);
			runNext();
		},
	};
}
