import type { Entries } from "./entries.ts";
import type { FieldSet, Submission, Surface } from "./model.ts";
import { scopeOf } from "./scope.ts";
import { visibleFields } from "./show-values.ts";

/**
 * Completes the submissions of a PUT: a person's answer to a field that the body does not mention is removed. Values
 * that rules wrote are left to the rules. Hidden fields are left alone, because the caller cannot see them.
 */
export function toFullSet(
	set: FieldSet,
	surface: Surface,
	entries: Entries,
	submissions: readonly Submission[],
): Submission[] {
	const { filled } = scopeOf(set, surface);
	const mentioned = new Set(submissions.map(({ uuid }) => uuid));
	const leftOut = visibleFields(set, surface, entries).filter(
		({ id, uuid }) => {
			const entry = entries.get(id);
			const isAnswer = entry && !(entry.byRule && filled.has(id));
			return isAnswer && !mentioned.has(uuid);
		},
	);
	return [
		...submissions,
		...leftOut.map(
			({ uuid }) => ({ uuid, value: null, how: "left_out" }) as const,
		),
	];
}
