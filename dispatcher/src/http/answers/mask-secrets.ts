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

/** As many characters of the sent token in a row are masked. Twelve bytes of a secret in its claims are no longer. */
const PART_LENGTH = 16;
const PARTS = new RegExp(`[\\w-]{${PART_LENGTH},}`, "g");
/** A part as long as `PART_LENGTH` holds one anchor of this length, wherever it begins. */
const ANCHOR_LENGTH = PART_LENGTH / 2;
/** Beyond so many places of an anchor in the token, the anchor is masked unseen. */
const MOST_PLACES = 64;

/** Marks every part of the token in the text: a middle segment alone decodes to the claims, with their secrets. */
function markParts(places: Uint8Array, text: string, token: string): void {
	for (const { index: begin, 0: run } of text.matchAll(PARTS)) {
		const end = begin + run.length;
		for (let at = begin; at + ANCHOR_LENGTH <= end; at += ANCHOR_LENGTH) {
			const anchor = text.slice(at, at + ANCHOR_LENGTH);
			let place = token.indexOf(anchor);
			for (let tried = 0; place !== -1; tried++) {
				let from = 0;
				while (
					at - from > begin &&
					text[at - from - 1] === token[place - from - 1]
				)
					from++;
				let to = ANCHOR_LENGTH;
				while (at + to < end && text[at + to] === token[place + to]) to++;
				if (from + to >= PART_LENGTH || tried === MOST_PLACES) {
					places.fill(TOKEN, at - from, at + to);
					break;
				}
				place = token.indexOf(anchor, place + 1);
			}
		}
	}
}

/**
 * Masks all secrets and tokens in the text, even if they contain, overlap or resemble each other or the mask. `isCut` says that one
 * may be cut off at the text's end. Of the `token` that was sent any part is masked.
 */
export function maskSecrets(
	text: string,
	spellings: readonly string[],
	isCut: boolean,
	token = "",
): string {
	const hasToken = text.includes("eyJ");
	const hasRun = token !== "" && text.search(PARTS) !== -1;
	const held = isCut
		? spellings
		: spellings.filter((spelling) => text.includes(spelling));
	if (held.length === 0 && !hasToken && !hasRun) return text;
	const places = new Uint8Array(text.length);
	for (const spelling of held) mark(places, text, spelling, isCut);
	if (hasToken)
		for (const { index, 0: run, 1: before = "" } of text.matchAll(TOKENS))
			places.fill(TOKEN, index + before.length, index + run.length);
	if (hasRun) markParts(places, text, token);
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
