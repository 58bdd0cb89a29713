import { isUuid } from "@partnerwire/contract/is-uuid";
import { UsageError } from "../usage-error.ts";

/** Reads the uuid of a record. Its `UsageError` does not repeat the text: a secret is easily mistaken for an id. */
export function readId(text: string, name = "the id"): string {
	if (isUuid(text)) return text;
	throw new UsageError(
		text.trim() === ""
			? `${name} is empty: is the variable that it comes from set?`
			: `${name} must be a UUID, as lists show it`,
	);
}
