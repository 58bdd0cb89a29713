/** How deep a body may be nested (case A19). */
const MAX_DEPTH = 128;

/** Thrown by `canonicalise` on a value nested deeper than `MAX_DEPTH`; also what stops a cyclic object. */
export class TooDeep extends Error {}

/** Begins a string that stands for a number in text rewritten by `keepDigits`. */
const NUMBER_MARK = "\0#";
const PLAIN_DIGITS = 15;
/** A number with a larger exponent is kept as it is spelled: no double could add to it exactly. */
const MAX_EXPONENT = 1e15;

// A number of more than 15 digits or with an exponent, after something structural. It may also hit inside a string: that
// only costs time.
const RISKY_NUMBER = /[:,[\s]-?\d(?:[\d.]{15,}|[\d.]*[eE])/;
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*/g;
const ZERO = "0".charCodeAt(0);
const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/**
 * One spelling for every spelling of a decimal number: `1.0`, `1` and `10e-1` are `1`; a number that no double holds keeps its
 * digits, so that 9007199254740992 and …993 differ (case A24). Its time is linear.
 */
export function normaliseNumber(lexeme: string): string {
	const match = NUMBER.exec(lexeme);
	if (!match) return lexeme;
	const [, sign = "", whole = "", fraction = "", exponentText = "0"] = match;
	const all = `${whole}${fraction}`;
	const leading = all.replace(/^0+/, "");
	if (leading === "") return "0";
	const given = Number(exponentText);
	if (Math.abs(given) > MAX_EXPONENT) return lexeme;
	// Not `/0+$/`: it tries again at each zero of every run.
	let end = leading.length;
	while (leading.charCodeAt(end - 1) === ZERO) end--;
	const digits = leading.slice(0, end);
	const exponent = given - fraction.length + leading.length - digits.length;
	if (exponent >= 0 && digits.length + exponent <= PLAIN_DIGITS)
		return `${sign}${digits}${"0".repeat(exponent)}`;
	return `${sign}${digits}e${exponent}`;
}

/** Rewrites valid JSON so that its numbers survive `JSON.parse` with all their digits, as marked strings. */
function keepDigits(text: string): string {
	return text.replaceAll(STRING_OR_NUMBER, (lexeme) =>
		lexeme.charCodeAt(0) === 0x22
			? // A string that begins with NUL gets a second one, so that it can pass for no number; `unmark` takes it away.
				lexeme.replace(/^"\\u0000/, '"\\u0000\\u0000')
			: `"\\u0000#${normaliseNumber(lexeme)}"`,
	);
}

function writeNumber(value: number): string {
	return Number.isInteger(value) && Math.abs(value) < 1e15
		? String(value === 0 ? 0 : value)
		: normaliseNumber(String(value));
}

/** The length goes before the text, so that nothing in it needs an escape: half the time of JSON.stringify. */
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

// With the u flag a surrogate of a pair is part of its code point: only lone ones match.
const LONE_SURROGATE = /\p{Surrogate}/u;

/**
 * The canonical form of a payload: key order and escapes do not matter, lone surrogates and every digit do
 * (issue 3, Deduplication). It need not be JSON, only to differ when and only when the payload does.
 *
 * @param value what `JSON.parse` made of `text`
 * @param text absent if only the parsed object is left; then the digits that a double does not hold are lost (case A04)
 * @throws TooDeep
 */
export function canonicalise(value: unknown, text?: string): string {
	const canonical =
		text !== undefined && RISKY_NUMBER.test(text)
			? write(JSON.parse(keepDigits(text)), 0, writeMarked)
			: write(value, 0, writeText);
	// UTF-8, which is what gets hashed, has one spelling for all lone surrogates; valid UTF-8 can hold them as escapes only.
	const mayHaveLone = text === undefined || text.includes("\\u");
	return mayHaveLone && LONE_SURROGATE.test(canonical)
		? `~${JSON.stringify(canonical)}`
		: canonical;
}
