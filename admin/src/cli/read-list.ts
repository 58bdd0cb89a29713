import { UsageError } from "./usage-error.ts";

/** Words separated by commas, each of a known set. Throws a `UsageError` that names the flag and what is known. */
export function readList<Word extends string>(
	text: string,
	flag: string,
	known: readonly Word[],
): Word[] {
	const words = text
		.split(",")
		.map((word) => word.trim())
		.filter((word) => word !== "");
	const isKnown = (word: string): word is Word =>
		(known as readonly string[]).includes(word);
	if (words.length > 0 && words.every(isKnown)) return words as Word[];
	throw new UsageError(
		`${flag} must be words separated by commas, of ${known.join(", ")}`,
	);
}
