/** Formats a time for a `datetime-local` input, in this process's time zone, which is also the browser's. */
export function toLocalInput(ms: number): string {
	const offset = new Date(ms).getTimezoneOffset() * 60_000;
	return new Date(ms - offset).toISOString().slice(0, 19);
}
