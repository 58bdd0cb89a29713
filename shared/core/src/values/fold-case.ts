/** Folds case by Unicode over NFC (docs/decisions.md#order-and-case-of-text). */
export function foldCase(text: string): string {
	return text.normalize("NFC").toLowerCase();
}

/**
 * Folds text for a search: case folded, one form of sigma wherever it is in its word, and without U+0001, which
 * separates members in the search index. SQLite has it as the function `fold`.
 */
export const foldText = (text: string): string =>
	foldCase(text).replaceAll("ς", "σ").replaceAll("\u0001", " ");
