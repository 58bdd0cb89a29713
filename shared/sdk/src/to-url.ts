/** The URL of a call: path parameters are filled in and escaped, unset query members left out, sets joined by commas. */
export function toUrl(
	baseUrl: string,
	path: string,
	params: Readonly<Record<string, string>> = {},
	query: Readonly<Record<string, unknown>> = {},
): string {
	const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = params[name];
		if (value === undefined)
			throw new TypeError(`the path parameter ${name} is missing`);
		// `fetch` resolves dot segments before it sends: another operation would be called.
		if (/^\.{0,2}$/.test(value))
			throw new TypeError(
				`the path parameter ${name} is "${value}", which is the id of nothing`,
			);
		return encodeURIComponent(value);
	});
	const search = new URLSearchParams(
		Object.entries(query)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [name, String(value)]),
	);
	const suffix = search.size > 0 ? `?${search}` : "";
	return baseUrl.replace(/\/+$/, "") + filled + suffix;
}
