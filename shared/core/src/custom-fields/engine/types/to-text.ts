const LONE_SURROGATE =
	/[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/;

/** Why a value is not a text of at most `maxLength` code points that both engines can store; null if it is one. */
export function refusalOfText(
	value: unknown,
	maxLength: number,
): string | null {
	if (typeof value !== "string") return "must be a text";
	if (value.includes("\0")) return "must not contain the NUL character";
	if (LONE_SURROGATE.test(value)) return "must not contain a lone surrogate";
	if (value.length > maxLength && [...value].length > maxLength)
		return `must have at most ${maxLength} characters`;
	return null;
}
