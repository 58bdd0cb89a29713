/** The URL of a call with checked parameters. It leaves out unset query members, and joins sets by commas. */
export function toUrl(
	baseUrl: string,
	path: string,
	params: Readonly<Record<string, string>> = {},
	query: Readonly<Record<string, unknown>> = {},
): string {
	const filled = path.replace(/\{(\w+)\}/g, (_, name: string) =>
		encodeURIComponent(params[name] as string),
	);
	const search = new URLSearchParams(
		Object.entries(query)
			.filter(([, value]) => value !== undefined)
			.map(([name, value]) => [name, String(value)]),
	);
	const suffix = search.size > 0 ? `?${search}` : "";
	return baseUrl.replace(/\/+$/, "") + filled + suffix;
}
