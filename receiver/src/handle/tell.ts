import type { EventContext } from "../common/context-types.ts";
import type { Reason } from "../common/reasons.ts";
import type { ResolvedOptions } from "../options.ts";
import { isPromise } from "../verify/platform-crypto.ts";
import type { RequestState } from "./request-state.ts";

const MAX_LENGTH = 8_000;
const MAX_ID_LENGTH = 64;
const MOST_CAUSES = 4;
/** Also what turns the direction of text round. */
const CONTROL = /(?!\n)[\p{Cc}\p{Bidi_C}\u2028\u2029]/gu;
/** What begins as a token does, or stands before the host of a URL; each begins a run that it ends: one pass. */
const SECRET = /eyJ[\w.-]*|(?<=\/\/)[^\s/@]*@/g;

/** A text for the log: without tokens, secrets and control characters, and nothing in it can pass for a line of its own. */
export function toEntry(
	text: string,
	{ secret }: Pick<ResolvedOptions, "secret">,
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

/** An error's stack and those of its causes; of an object that is none its members' names, because their values may be secret. */
function toTrace(error: unknown, causes = MOST_CAUSES): string {
	if (typeof error !== "object" || error === null) return String(error);
	const { message, stack = "", cause } = error as Partial<Error>;
	// V8's stack begins with the message, that of other engines does not.
	const head = stack.includes(message as string) ? "" : message;
	const own = `${head ?? Object.keys(error)}\n${stack}`.trim();
	return cause && causes
		? `${own}\ncaused by ${toTrace(cause, causes - 1)}`
		: own;
}

function print(o: ResolvedOptions, line: string, error: unknown): void {
	console.error(toEntry(`${line}\n${toTrace(error)}`, o));
}

/** Calls the user's code; what it throws, or rejects with, changes no verdict. */
function attempt(call: () => unknown, failed: (error: unknown) => void): void {
	try {
		const answer = call();
		if (isPromise(answer)) answer.catch(failed);
	} catch (error) {
		failed(error);
	}
}

/** Calls an observer; if it fails, that is told. */
export function notify(
	o: ResolvedOptions,
	name: string,
	observer: () => unknown,
): void {
	attempt(observer, (error) =>
		tellError(o, `${name} threw; the answer stands.`, error),
	);
}

/**
 * Tells an error once: to `onError` if there is one, else to the error output, with its stack and its causes. The log gets the line
 * alone, because an error's message may hold anything (case G04). What failed already and fails again has no more lines.
 */
export function tellError(
	o: ResolvedOptions,
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
	return eventId ? `${eventId} (${ids})` : "A request";
}

const EVERY_MS = 1_000;

/**
 * Says of a refusal whether it may have a line of the log, which each reason has once a second, and how many had none before;
 * undefined if it may not.
 */
export function createRefusalCount(o: ResolvedOptions) {
	const counts = new Map<Reason, { atMs: number; untold: number }>();
	return function count(reason: Reason): number | undefined {
		const atMs = o.clock();
		const last = counts.get(reason);
		// A clock that was set back ends the second, too.
		if (last && Math.abs(atMs - last.atMs) < EVERY_MS) {
			last.untold++;
			return undefined;
		}
		counts.set(reason, { atMs, untold: 0 });
		return last?.untold ?? 0;
	};
}
