import { applyRules } from "./apply-rules.ts";
import type {
	Field,
	FieldSet,
	FieldWrite,
	Stored,
	Submission,
	Surface,
	Value,
	Violation,
} from "./model.ts";
import { parseValue } from "./parse-value.ts";
import type { Accepted } from "./rule-outcome.ts";
import { type Scope, scopeOf } from "./scope.ts";
import { findMissing, refusalOf } from "./violations.ts";
import { toWrites } from "./writes.ts";

export interface Enforced {
	readonly writes: readonly FieldWrite[];
	/** One for each refused field, in the order of the submissions, then of the fields. With any, `writes` is empty. */
	readonly violations: readonly Violation[];
}

const TWICE = {
	reason: "invalid_value",
	message: "is given more than once",
} as const;

/**
 * Checks custom field values, for every write path (docs/contract.md#errors, docs/custom-fields.md). Pure: the order of
 * fields, rules and submissions does not change the answer.
 *
 * @example
 * const { writes, violations } = enforce(set, surface, stored, [{ uuid, value: { text: "x" } }]);
 */
export function enforce(
	set: FieldSet,
	surface: Surface,
	stored: ReadonlyMap<number, Stored>,
	submissions: readonly Submission[],
): Enforced {
	const scope = scopeOf(set, surface);
	const violations = new Map<string, Violation>();
	/** Keeps the first reason of each field. */
	const refuse = (violation: Violation) => {
		if (!violations.has(violation.field))
			violations.set(violation.field, violation);
	};
	const accepted = new Map<number, Accepted>();
	for (const submission of submissions) {
		const field = scope.byUuid.get(submission.uuid);
		if (!field) {
			const message = "is no custom field of this account";
			const reason = "unknown_field";
			refuse({ field: submission.uuid, reason, message });
		} else if (!isAccessible(field, scope, stored, submission)) {
			const message = "is not available here";
			const reason = "not_accessible";
			refuse({ field: submission.uuid, reason, message });
		} else {
			const isTwice = accepted.has(field.id);
			const parsed = isTwice ? TWICE : parseValue(submission.value, field, set);
			accepted.set(field.id, { field, submission, parsed });
		}
	}
	const answers = toAnswers(stored, accepted, scope);
	const { states } = applyRules(scope, answers);
	const outcome = { scope, surface, stored, accepted, states, answers };
	for (const parsedSubmission of accepted.values()) {
		const refusal = refusalOf(parsedSubmission, outcome);
		if (refusal) refuse(refusal);
	}
	if (surface.mode === "create") findMissing(outcome).forEach(refuse);
	if (violations.size > 0)
		return { writes: [], violations: [...violations.values()] };
	return { writes: toWrites(outcome), violations: [] };
}

/** A stored value of a field that no longer applies to the record can be removed; otherwise it would stay for ever. */
const isAccessible = (
	field: Field,
	{ byId }: Scope,
	stored: ReadonlyMap<number, Stored>,
	{ how }: Submission,
) => byId.has(field.id) || (how === "removed" && stored.has(field.id));

/** The answers of people: the stored ones, then the submitted ones. An invalid submission changes nothing. */
function toAnswers(
	stored: ReadonlyMap<number, Stored>,
	accepted: ReadonlyMap<number, Accepted>,
	{ byId, filled }: Scope,
): Map<number, Value | null> {
	const answers = new Map<number, Value | null>();
	for (const [id, { value, byRule }] of stored)
		if (byId.has(id) && !(byRule && filled.has(id))) answers.set(id, value);
	for (const [id, { submission, parsed }] of accepted) {
		if (submission.how === "left_out") answers.delete(id);
		else if ("value" in parsed) answers.set(id, parsed.value);
	}
	return answers;
}
