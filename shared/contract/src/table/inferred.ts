import * as z from "zod";

/*
 * Casts that TypeScript cannot infer for generics, each in one place. The tables are built with them, so that their types
 * follow from their values.
 */

/** The given value. If it was left out, `otherwise`, which is the default of its type parameter. */
export const orDefault = <Given>(
	given: Given | undefined,
	otherwise: unknown,
) =>
	// The cast is true: without a given value the type parameter is its default, and the caller passes that as `otherwise`.
	given ?? (otherwise as Given);

/** An object with one member. TypeScript would widen a computed key of a generic type to a string. */
export const keyed = <const Name extends string, Value>(
	name: Name,
	value: Value,
) => ({ [name]: value }) as { readonly [Key in Name]: Value };

/** Members that only archived kinds of records have. TypeScript does not narrow a condition on a type parameter. */
export const ofArchive = <Removal extends string, Members extends object>(
	removal: Removal,
	members: Members,
) =>
	(removal === "archive" ? members : {}) as Removal extends "archive"
		? Members
		: Record<never, never>;

/** The schema of a body that may be missing. */
export const optionalBody = <
	Shape extends Record<string, z.ZodOptional | z.ZodDefault>,
>(
	shape: Shape,
) =>
	// The cast is true because no member is mandatory. TypeScript cannot tell that of a type parameter.
	z.object(shape).prefault({} as never);
