import { unknownWord } from "../suggest.ts";
import { UsageError } from "../usage-error.ts";

/** Reads one word of a known set. Throws a `UsageError` that names the flag and the known words. */
export function readWord<Word extends string>(
	text: string,
	flag: string,
	known: readonly Word[],
): Word {
	const found = known.find((word) => word === text);
	if (found !== undefined) return found;
	throw unknownWord(`${flag} has no`, text, known);
}

/** Reads words of a known set, separated by commas. Throws a `UsageError` that names the flag and the known words. */
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
