import type { State } from "./apply-rules.ts";
import type { Field, Stored, Submission, Surface, Value } from "./model.ts";
import type { Scope } from "./scope.ts";
import type { Parsed } from "./types/parsed.ts";

/** A submission that names a field of the surface, parsed. */
export interface Accepted {
	readonly field: Field;
	readonly submission: Submission;
	readonly parsed: Parsed;
}

/** What the checks and the writes of a request are decided on. */
export interface RuleOutcome {
	readonly scope: Scope;
	readonly surface: Surface;
	readonly stored: ReadonlyMap<number, Stored>;
	readonly accepted: ReadonlyMap<number, Accepted>;
	readonly states: ReadonlyMap<number, State>;
	/** What people say of each field; a field that is not in it has no answer of theirs. */
	readonly own: ReadonlyMap<number, Value | null>;
}
