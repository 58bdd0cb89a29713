/** Folds case by Unicode over NFC (decisions §1). */
export function foldCase(text: string): string {
	return text.normalize("NFC").toLowerCase();
}

/**
 * What a search compares: case folded, one sigma wherever it stands in its word, and without U+0001, by which the search
 * index tells members apart. SQLite has it as the function `fold`.
 */
export const foldText = (text: string): string =>
	foldCase(text).replaceAll("ς", "σ").replaceAll("\u0001", " ");
