import { closestMatch } from "leven";
import { printable } from "./output/output.ts";
import { UsageError } from "./usage-error.ts";

/** The known word that somebody probably meant; undefined when none is near. */
export function suggest(
	word: string,
	known: readonly string[],
): string | undefined {
	// Two letters that changed places, or a few of a long word; a whole other word is no misspelling.
	const most = Math.max(2, Math.floor(word.length / 3));
	const maxDistance = Math.min(most, word.length - 1);
	return closestMatch(word.toLowerCase(), known, { maxDistance });
}

/** A `UsageError` for a word that is not known: what was probably meant, and what there is. */
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
