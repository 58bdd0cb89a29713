/*
 * A progress line stands where the next line of output will be written: whoever writes one clears it first.
 */
let clear: (() => void) | undefined;

/** Says how to clear the line that stands there now; undefined when none does. */
export function setProgressLine(how: (() => void) | undefined): void {
	clear = how;
}

/** Clears the line that stands there, if any. */
export function clearProgress(): void {
	clear?.();
	clear = undefined;
}
