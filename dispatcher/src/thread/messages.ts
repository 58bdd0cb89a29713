import type { AttemptResult } from "../http/attempt-result.ts";
import type { AttemptRequest } from "../http/wire.ts";
import type { ProbeResult } from "../probe/report.ts";

/** An attempt to make or a URL to look at. */
export type Job =
	| { readonly request: AttemptRequest }
	| { readonly look: string };

/** The outcome comes back under the job's id. */
export interface Numbered {
	readonly id: number;
	readonly job: Job;
}

/** To the thread. */
export type Order =
	| { readonly kind: "jobs"; readonly jobs: readonly Numbered[] }
	| { readonly kind: "close"; readonly graceMs: number | undefined };

/** From the thread: outcomes, and at its end that everything is over. */
export type Answer = readonly Outcome[] | "closed";

/** What became of a job; an error is a fault of the program, not of the network. */
export type Outcome =
	| { readonly id: number; readonly result: AttemptResult | ProbeResult }
	| { readonly id: number; readonly error: unknown };
