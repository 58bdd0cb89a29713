import { closestMatch } from "leven";
import { printable } from "./output/output.ts";
import { UsageError } from "./usage-error.ts";

/** The known word nearest to a misspelt one. Undefined if none is near. */
export function suggest(
	word: string,
	known: readonly string[],
): string | undefined {
	// Allows two swapped letters, or a few wrong ones in a long word. Another word is not a misspelling.
	const most = Math.max(2, Math.floor(word.length / 3));
	const maxDistance = Math.min(most, word.length - 1);
	return closestMatch(word.toLowerCase(), known, { maxDistance });
}

/** A `UsageError` for an unknown word, with the nearest known word and all known ones. */
export function unknownWord(
	said: string,
	word: string,
	known: readonly string[],
): UsageError {
	const meant = suggest(word, known);
	const question = meant === undefined ? "" : `; did you mean ${meant}?`;
	return new UsageError(
		`${said} ${printable(word)}${question || ";"} known: ${known.join(", ")}`,
	);
}
