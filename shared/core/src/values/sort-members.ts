/** A replacer for `JSON.stringify`: two objects with the same members get the same text (RFC 8259 §4: their order says nothing). */
export const sortMembers = (_member: string, value: unknown): unknown =>
	typeof value === "object" && value !== null && !Array.isArray(value)
		? Object.fromEntries(
				Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)),
			)
		: value;
