import type { Entries } from "./entries.ts";
import type { FieldSet, Submission, Surface } from "./model.ts";
import { scopeOf } from "./scope.ts";
import { visibleFields } from "./show-values.ts";

/**
 * The submissions of a PUT: a field that has an answer of people and is not mentioned loses it. What rules wrote stays
 * theirs to decide, and what is hidden is not the caller's to know of.
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
