/*
 * What TypeScript cannot infer by itself of a generic, each in one place: the tables are built of these, so that their
 * types follow from their values.
 */

/** What was given; what was left out is the default of its type parameter. */
export const orDefault = <Given>(
	given: Given | undefined,
	otherwise: unknown,
) =>
	// A type parameter that nothing was given for is its default, which the caller names beside it.
	given ?? (otherwise as Given);

/** An object of one member. A computed key of a generic type is widened to a string. */
export const keyed = <const Name extends string, Value>(
	name: Name,
	value: Value,
) => ({ [name]: value }) as { readonly [Key in Name]: Value };

/** What only records have that are archived: a condition on a type parameter is not narrowed. */
export const ofArchive = <Removal extends string, Members extends object>(
	removal: Removal,
	members: Members,
) =>
	(removal === "archive" ? members : {}) as Removal extends "archive"
		? Members
		: Record<never, never>;
