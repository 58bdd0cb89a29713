import type { Field, FieldSet, Reason, Value } from "../model.ts";

/** The result of parsing a submitted value: a canonical value, null for a blank, or the reason why it is invalid. */
export type Parsed =
	| { readonly value: Value | null }
	| {
			readonly reason: Extract<Reason, "invalid_value" | "invalid_option">;
			readonly message: string;
	  };

/** Parses a value that is not blank, after it was taken out of its wrapper such as `{text}`. */
export type ParseInner = (
	submitted: unknown,
	field: Pick<Field, "options">,
	set: Pick<FieldSet, "country">,
) => Parsed;

export const invalid = (message: string): Parsed => ({
	reason: "invalid_value",
	message,
});
