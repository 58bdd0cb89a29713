import { isUuid } from "@partnerwire/contract/is-uuid";
import { emptyValue, UsageError } from "../usage-error.ts";

/** Reads the uuid of a record. Its `UsageError` does not repeat the text: a secret is easily mistaken for an id. */
export function readId(text: string, name = "the id"): string {
	if (isUuid(text)) return text;
	if (text.trim() === "") throw emptyValue(name);
	throw new UsageError(`${name} must be a UUID, as lists show it`);
}
