/** Headers as they stand in a message: one a line. */
export const toHeaderLines = (
	headers: Readonly<Record<string, string | readonly string[]>>,
): string =>
	Object.entries(headers)
		.flatMap(([name, value]) => [value].flat().map((one) => `${name}: ${one}`))
		.join("\n");
