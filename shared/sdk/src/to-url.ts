/** Whether a member of the query means that nothing is asked for: an unset filter, or one of an empty set. */
export const isUnset = (value: unknown): boolean =>
	value === undefined ||
	value === null ||
	(Array.isArray(value) && value.length === 0);

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
			.filter(([, value]) => !isUnset(value))
			.map(([name, value]) => [name, String(value)]),
	);
	const suffix = search.size > 0 ? `?${search}` : "";
	return baseUrl.replace(/\/+$/, "") + filled + suffix;
}
