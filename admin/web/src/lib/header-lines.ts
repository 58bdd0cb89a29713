/** Formats headers as in a message: one per line. */
export const toHeaderLines = (
	headers: Readonly<Record<string, string | readonly string[]>>,
): string =>
	Object.entries(headers)
		.flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`))
		.join("\n");
