import type { Field, FieldSet, Reason, Value } from "../model.ts";

/** What a submitted value is: a canonical value, null for a blank, or the reason why it is none. */
export type Parsed =
	| { readonly value: Value | null }
	| {
			readonly reason: Extract<Reason, "invalid_value" | "invalid_option">;
			readonly message: string;
	  };

/** Parses what is neither blank nor wrapped any more. */
export type ParseInner = (
	given: unknown,
	field: Pick<Field, "options">,
	set: Pick<FieldSet, "country">,
) => Parsed;

export const invalid = (message: string): Parsed => ({
	reason: "invalid_value",
	message,
});
