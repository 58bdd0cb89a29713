/** How deep a body may be nested. */
const MAX_DEPTH = 128;

/** Thrown by `canonicalise` if a value is nested deeper than `MAX_DEPTH`. This also stops at cyclic objects. */
export class TooDeep extends Error {}

/** The start of a string that stands for a number, in text that `keepDigits` has rewritten. */
const NUMBER_MARK = "\0#";
const PLAIN_DIGITS = 15;
/** A number with a larger exponent is kept as it is spelled: doubles cannot compute with such an exponent exactly. */
const MAX_EXPONENT = 1e15;

// A number of more than 15 digits or with an exponent, after a structural character. It may also match within a string, which
// only costs time.
const RISKY_NUMBER = /[:,[\s]-?\d(?:[\d.]{15,}|[\d.]*[eE])/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const ZERO = "0".charCodeAt(0);
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * Gives all spellings of a decimal number the same text: `1.0`, `1` and `10e-1` become `1`. A number that no double can hold keeps
 * its digits, so that 9007199254740992 and …993 differ. The time is linear.
 */
export function normaliseNumber(lexeme: string): string {
	const match = NUMBER.exec(lexeme);
	if (!match) return lexeme;
	const [, sign = "", whole = "", fraction = "", exponentText = "0"] = match;
	const all = `${whole}${fraction}`;
	const leading = all.replace(/^0+/, "");
	if (leading === "") return "0";
	const writtenExponent = Number(exponentText);
	if (Math.abs(writtenExponent) > MAX_EXPONENT) return lexeme;
	// Not `/0+$/`: it starts again at each zero of every run, which takes quadratic time.
	let end = leading.length;
	while (leading.charCodeAt(end - 1) === ZERO) end--;
	const digits = leading.slice(0, end);
	const exponent =
		writtenExponent - fraction.length + leading.length - digits.length;
	if (exponent >= 0 && digits.length + exponent <= PLAIN_DIGITS)
		return `${sign}${digits}${"0".repeat(exponent)}`;
	return `${sign}${digits}e${exponent}`;
}

/** Rewrites valid JSON so that its numbers survive `JSON.parse` with all their digits, as marked strings. */
function keepDigits(text: string): string {
	return text.replaceAll(STRING_OR_NUMBER, (lexeme) =>
		lexeme.charCodeAt(0) === 0x22
			? // A string that begins with NUL gets a second one, so that it cannot look like a number. `writeMarked` removes it.
				lexeme.replace(/^"\\u0000/, '"\\u0000\\u0000')
			: `"\\u0000#${normaliseNumber(lexeme)}"`,
	);
}

function writeNumber(value: number): string {
	return Number.isInteger(value) && Math.abs(value) < 1e15
		? String(value === 0 ? 0 : value)
		: normaliseNumber(String(value));
}

/** The length is written before the text, so that the text needs no escapes. This takes half the time of JSON.stringify. */
const writeText = (text: string): string => `"${text.length}:${text}`;
const writeMarked = (text: string): string =>
	text.startsWith(NUMBER_MARK)
		? `${text.slice(NUMBER_MARK.length)},`
		: writeText(text.startsWith("\0") ? text.slice(1) : text);

function write(
	value: unknown,
	depth: number,
	string: (text: string) => string,
): string {
	if (typeof value === "string") return string(value);
	if (typeof value === "number") return `${writeNumber(value)},`;
	if (typeof value !== "object" || value === null) return `${value},`;
	if (depth >= MAX_DEPTH) throw new TooDeep();
	if (Array.isArray(value)) {
		let text = "[";
		for (const each of value) text += write(each, depth + 1, string);
		return `${text}]`;
	}
	const record = value as Record<string, unknown>;
	let text = "{";
	for (const key of Object.keys(record).sort())
		text += string(key) + write(record[key], depth + 1, string);
	return `${text}}`;
}

// With the u flag only lone surrogates match: those of a pair are part of its code point.
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The canonical form of a payload: two forms differ exactly if the payloads do. The order of keys and escapes do not matter; lone
 * surrogates and every digit do (docs/receiver.md#duplicates). The form need not be JSON.
 *
 * @param value the result of `JSON.parse(text)`
 * @param text absent if only the parsed object is left. Digits that a double cannot hold are lost then
 * @throws TooDeep
 */
export function canonicalise(value: unknown, text?: string): string {
	const canonical =
		text !== undefined && RISKY_NUMBER.test(text)
			? write(JSON.parse(keepDigits(text)), 0, writeMarked)
			: write(value, 0, writeText);
	// The hash is over UTF-8, where all lone surrogates become the same bytes. In valid UTF-8 text they can only be escapes.
	const mayHaveLone = text === undefined || text.includes("\\u");
	return mayHaveLone && LONE_SURROGATE.test(canonical)
		? `~${JSON.stringify(canonical)}`
		: canonical;
}
