/*
 * The progress line is where the next line of output goes. All code that writes a line must clear it first.
 */
let clear: (() => void) | undefined;

/** Sets the function that clears the current progress line; undefined if there is none. */
export function setProgressLine(how: (() => void) | undefined): void {
	clear = how;
}

/** Clears the progress line, if there is one. */
export function clearProgress(): void {
	clear?.();
	clear = undefined;
}
