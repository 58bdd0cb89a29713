import type { EventContext } from "../common/context-types.ts";
import { isPromise } from "../verify/platform-crypto.ts";
import type { VerifyOptions } from "../verify/verify.ts";
import type { RequestState } from "./request-state.ts";

/*
 * How errors and refusals are reported: to `onError`, the log or the console, without secrets
 * (docs/decisions.md#what-a-receiver-tells).
 */

/** The options that say where errors and refusals are reported. */
export interface ReportOptions
	extends Required<Pick<VerifyOptions, "secret" | "clock" | "log">> {
	/** Is there a `log` option? Without one, the log is the error output, and an error printed there needs no second line. */
	hasLog: boolean;
	/**
	 * Called with an error that a handler, a store, a secret lookup or another callback threw. If a handler threw, it also gets the
	 * handler's context. Without `onError` the error goes to `console.error`, with its stack and cause. The log and the answer never
	 * contain it.
	 */
	onError?: (error: unknown, context?: EventContext) => unknown;
}

const MAX_LENGTH = 8_000;
const MAX_ID_LENGTH = 64;
const MOST_CAUSES = 4;
/** Control characters, and those that change the direction of text. */
const CONTROL = /(?!\n)[\p{Cc}\p{Bidi_C}\u2028\u2029]/gu;
/** Tokens, and credentials before the host of a URL. Matches in one pass. */
const SECRET = /eyJ[\w.-]*|(?<=\/\/)[^\s/@]*@/g;

/** Makes a text safe for the log: without tokens, secrets and control characters. No part of it can look like a line of its own. */
export function toEntry(
	text: string,
	{ secret }: Pick<ReportOptions, "secret">,
): string {
	let shown = text.replace(SECRET, "***");
	if (typeof secret !== "function")
		for (const each of [secret ?? []].flat())
			shown = shown.replaceAll(each, "***");
	return shown
		.slice(0, MAX_LENGTH)
		.replace(CONTROL, encodeURIComponent)
		.replace(/\n(?! )/g, "\n  ");
}

/** An error's stack and those of its causes. Of other objects only the members' names, because the values may be secret. */
function toTrace(error: unknown, causes = MOST_CAUSES): string {
	if (typeof error !== "object" || error === null) return String(error);
	const { message, stack = "", cause } = error as Partial<Error>;
	// V8's stack begins with the message. That of other engines does not.
	const head = stack.includes(message as string) ? "" : message;
	const own = `${head ?? Object.keys(error)}\n${stack}`.trim();
	return cause && causes
		? `${own}\ncaused by ${toTrace(cause, causes - 1)}`
		: own;
}

function print(o: ReportOptions, line: string, error: unknown): void {
	console.error(toEntry(`${line}\n${toTrace(error)}`, o));
}

/** Calls the user's code. If it throws or rejects, the verdict stays the same. */
function attempt(call: () => unknown, failed: (error: unknown) => void): void {
	try {
		const answer = call();
		if (isPromise(answer)) answer.catch(failed);
	} catch (error) {
		failed(error);
	}
}

/** Calls an observer, and reports its error if it fails. */
export function notify(
	o: ReportOptions,
	name: string,
	observer: () => unknown,
): void {
	attempt(observer, (error) =>
		tellError(o, `${name} threw; the answer stands.`, error),
	);
}

/**
 * Reports an error once: to `onError` if there is one, else to the error output, with its stack and its causes. The log gets only the
 * line, because an error's message may contain secrets. `isKnown`: the same failure was reported before, so it gets no more lines.
 */
export function tellError(
	o: ReportOptions,
	line: string,
	error: unknown,
	context?: EventContext,
	isKnown = false,
): void {
	const { onError } = o;
	if ((onError || o.hasLog) && !isKnown) o.log(line);
	if (onError)
		attempt(
			() => onError(error, context),
			(thrown) => {
				print(o, line, error);
				print(o, "onError threw.", thrown);
			},
		);
	else if (!isKnown) print(o, line, error);
}

const clip = (id = "?") => id.slice(0, MAX_ID_LENGTH);

/** Names an event in a line of the log: its id, its record and its delivery. */
export function nameOf({ eventId, entity, claims }: RequestState): string {
	const ids = `record ${clip(entity?.uuid)}, delivery ${clip(claims?.jti)}`;
	return claims ? `${eventId ?? "An event"} (${ids})` : "A request";
}

const EVERY_MS = 1_000;

/**
 * Limits the log lines about requests that anybody can send to one a second for each cause: a reason or a fixed text. Returns the
 * number of lines that were left out since the last one, or undefined if this one is left out too.
 */
export function createLineLimit(o: ReportOptions) {
	const counts = new Map<string, { atMs: number; untold: number }>();
	return function count(cause: string): number | undefined {
		const atMs = o.clock();
		const last = counts.get(cause);
		// A clock that is set back also ends the second.
		if (last && Math.abs(atMs - last.atMs) < EVERY_MS) {
			last.untold++;
			return undefined;
		}
		counts.set(cause, { atMs, untold: 0 });
		return last?.untold ?? 0;
	};
}
