import type { AttemptResult } from "../http/attempt-result.ts";
import type { AttemptRequest } from "../http/wire.ts";
import type { ProbeResult } from "../probe/report.ts";

/** An attempt to make, or a URL to probe. */
export type Job =
	| { readonly request: AttemptRequest }
	| { readonly look: string };

/** A job with its id. Its outcome has the same id. */
export interface Numbered {
	readonly id: number;
	readonly job: Job;
}

/** A message to the thread. */
export type Order =
	| { readonly kind: "jobs"; readonly jobs: readonly Numbered[] }
	| { readonly kind: "close"; readonly graceMs: number | undefined };

/** A message from the thread: outcomes, or at last "closed". */
export type Answer = readonly Outcome[] | "closed";

/** The result of a job. An error is a fault of the program, not of the network. */
export type Outcome =
	| { readonly id: number; readonly result: AttemptResult | ProbeResult }
	| { readonly id: number; readonly error: unknown };
