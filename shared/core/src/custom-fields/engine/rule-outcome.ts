import type { State } from "./apply-rules.ts";
import type { Field, Stored, Submission, Surface, Value } from "./model.ts";
import type { Scope } from "./scope.ts";
import type { Parsed } from "./types/parsed.ts";

/** A submission for a field of the surface, with its parsed value. */
export interface Accepted {
	readonly field: Field;
	readonly submission: Submission;
	readonly parsed: Parsed;
}

/** The evaluated rules of a request. Its checks and its writes are decided on them. */
export interface RuleOutcome {
	readonly scope: Scope;
	readonly surface: Surface;
	readonly stored: ReadonlyMap<number, Stored>;
	readonly accepted: ReadonlyMap<number, Accepted>;
	readonly states: ReadonlyMap<number, State>;
	/** The answers of people, by field id. A field that is absent has none. */
	readonly answers: ReadonlyMap<number, Value | null>;
}
