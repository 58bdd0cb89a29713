/** Folds case by Unicode over NFC (decisions §1); SQLite gets it as the function `fold`. */
export function foldCase(text: string): string {
	return text.normalize("NFC").toLowerCase();
}
