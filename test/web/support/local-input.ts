/** A time as a `datetime-local` input takes it, in this process's zone, which is the browser's. */
export function toLocalInput(ms: number): string {
	const offset = new Date(ms).getTimezoneOffset() * 60_000;
	return new Date(ms - offset).toISOString().slice(0, 19);
}
