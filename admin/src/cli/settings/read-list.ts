import { unknownWord } from "../suggest.ts";
import { UsageError } from "../usage-error.ts";

/** One of a known set of words. Throws a `UsageError` that names the flag and what is known. */
export function readWord<Word extends string>(
	text: string,
	flag: string,
	known: readonly Word[],
): Word {
	const found = known.find((word) => word === text);
	if (found !== undefined) return found;
	throw unknownWord(`${flag} has no`, text, known);
}

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
	if (words.length > 0) return words.map((word) => readWord(word, flag, known));
	throw new UsageError(
		`${flag} must be words separated by commas, of ${known.join(", ")}`,
	);
}
