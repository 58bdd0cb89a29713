import type { AttemptResult } from "../attempt-result.ts";
import type { AttemptRequest } from "../wire.ts";

/** An attempt to make; the outcome comes back under its id. */
export interface Numbered {
	readonly id: number;
	readonly request: AttemptRequest;
}

/** To the thread. */
export type Order =
	| { readonly kind: "attempts"; readonly attempts: readonly Numbered[] }
	| { readonly kind: "close"; readonly graceMs: number | undefined };

/** From the thread: outcomes, and at its end that everything is over. */
export type Answer = readonly Outcome[] | "closed";

/** What became of an attempt; an error is a fault of the program, not of the network. */
export type Outcome =
	| { readonly id: number; readonly result: AttemptResult }
	| { readonly id: number; readonly error: unknown };
