import { MASK } from "../../sign/mask-claims.ts";

const HTML: Record<string, string> = {
	"&": "&amp;",
	"<": "&lt;",
	">": "&gt;",
	'"': "&quot;",
	"'": "&#39;",
};

/** Lists all spellings of secrets that an answer may echo. */
export const spellingsOf = (secrets: readonly string[]): readonly string[] => [
	...new Set(secrets.flatMap(spell).filter((spelling) => spelling !== "")),
];

/** The spellings of a secret in HTML, forms, JSON (also of PHP and Python) and headers, and as it was sent. */
function spell(secret: string): string[] {
	if (/^[\w-]*$/.test(secret)) return [secret];
	const json = JSON.stringify(secret).slice(1, -1);
	const ascii = json.replace(/[^\0-~]/g, toEscape);
	const slashed = [json, ascii].map((text) => text.replaceAll("/", "\\/"));
	const inForm = new URLSearchParams({ "": secret }).toString().slice(1);
	const bytes = Buffer.from(secret);
	const inUrl = encodeURIComponent(bytes.toString());
	const inPage = secret.replace(/[&<>"']/g, (sign) => HTML[sign] as string);
	const inHeader = bytes.toString("latin1");
	return [secret, json, ascii, ...slashed, inForm, inUrl, inPage, inHeader];
}

const toEscape = (unit: string) =>
	`\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** The marks of a text's characters: part of a secret or of a token. 0 is neither. */
const SECRET = 1;
const TOKEN = 2;

// A receiver that echoes the request would put the token into the attempt log. The pattern begins only at the start of a run of
// letters, and first checks that a dot ends the run. So it reads each character only a few times, even if an answer begins many
// tokens.
const TOKENS =
	/(?<![\w-])(?=[\w-]+\.)([\w-]*?)eyJ[\w-]{8,}\.[\w-]*(?:\.[\w-]*)?/g;

/**
 * Marks every occurrence of the spelling in the text, also overlapping ones. With `isCut` it also marks a beginning of the spelling at
 * the text's end. Each character is read only a few times, however repetitive both are (Knuth, Morris and Pratt). With `indexOf` an
 * endpoint whose answer and secrets are of one character could block the thread for 7 ms for each secret, instead of 0.7 ms.
 */
function mark(
	places: Uint8Array,
	text: string,
	spelling: string,
	isCut: boolean,
): void {
	const borders = bordersOf(spelling.slice(0, text.length));
	let matched = 0;
	let markedTo = 0;
	for (let index = 0; index < text.length; index++) {
		while (matched > 0 && text[index] !== spelling[matched])
			matched = borders[matched - 1] as number;
		if (text[index] === spelling[matched]) matched++;
		if (matched < spelling.length) continue;
		const end = index + 1;
		places.fill(SECRET, Math.max(markedTo, end - matched), end);
		markedTo = end;
		matched = borders[matched - 1] as number;
	}
	if (isCut) places.fill(SECRET, text.length - matched);
}

/** For each prefix of a text, the length of the longest shorter prefix that is also its suffix. */
function bordersOf(text: string): Uint32Array {
	const borders = new Uint32Array(text.length);
	let matched = 0;
	for (let index = 1; index < text.length; index++) {
		while (matched > 0 && text[index] !== text[matched])
			matched = borders[matched - 1] as number;
		if (text[index] === text[matched]) matched++;
		borders[index] = matched;
	}
	return borders;
}

/**
 * Masks all secrets and tokens in the text, even if they contain, overlap or resemble each other or the mask. `isCut` says that one
 * may be cut off at the text's end.
 */
export function maskSecrets(
	text: string,
	spellings: readonly string[],
	isCut: boolean,
): string {
	const hasToken = text.includes("eyJ");
	const held = isCut
		? spellings
		: spellings.filter((spelling) => text.includes(spelling));
	if (held.length === 0 && !hasToken) return text;
	const places = new Uint8Array(text.length);
	for (const spelling of held) mark(places, text, spelling, isCut);
	if (hasToken)
		for (const { index, 0: run, 1: before = "" } of text.matchAll(TOKENS))
			places.fill(TOKEN, index + before.length, index + run.length);
	return render(text, places);
}

function render(text: string, places: Uint8Array): string {
	let masked = "";
	for (let from = 0, to = 0; from < text.length; from = to) {
		const isOpen = places[from] === 0;
		while (to < text.length && (places[to] === 0) === isOpen) to++;
		if (isOpen) masked += text.slice(from, to);
		else masked += places.subarray(from, to).includes(TOKEN) ? "[token]" : MASK;
	}
	return masked;
}
