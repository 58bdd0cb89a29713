/*
 * All output of the command line goes through here. Its reader is another program, which may have ended, hang, or have a
 * full disk. Output must never stop the service: lines that cannot be written are dropped and counted
 * (docs/decisions.md#output-that-cannot-be-written).
 */

/** Bytes that may wait for a reader that does not read. A service drops further lines. */
const MOST_WAITING = 1024 * 1024;
/** How long a stopped service waits for its last lines to be read. */
const FLUSH_MS = 2000;

let isServing = false;
let dropped = 0;
const readerGone = new AbortController();
let fault: string | undefined;

/** Lines that this process has dropped. */
export const countDroppedLines = (): number => dropped;

/** Aborts when the reader of standard output has ended, so that a list can stop. */
export const untilReaderGone = (): AbortSignal => readerGone.signal;

/** Why a command's output could not be written. Undefined if its reader just ended. */
export const findOutputFault = (): string | undefined =>
	isServing ? undefined : fault;

/** Keeps errors of these streams from ending the process. Each write gets its own error; node would also throw it. */
export function watchStandardStreams(): void {
	for (const stream of [process.stdout, process.stderr])
		stream.on("error", () => {});
}

/** From here on this process is a service: a slow reader of its output must not delay it. */
export function beginServing(): void {
	isServing = true;
}

/** To be called when a service has stopped: a reader that hangs must not keep the process alive. */
export function endServing(): void {
	if (isServing) setTimeout(() => process.exit(), FLUSH_MS).unref();
}

export const writeOut = (text: string): void => write(process.stdout, text);
export const writeError = (text: string): void => write(process.stderr, text);

function write(stream: NodeJS.WriteStream, text: string): void {
	if (isServing && stream.writableLength > MOST_WAITING) {
		dropped++;
		return;
	}
	stream.write(text, (error) => {
		if (!error) return;
		dropped++;
		if (stream === process.stdout) noteFault(error);
	});
}

function noteFault({ code }: NodeJS.ErrnoException): void {
	// Windows reports EOF.
	if (/^(EPIPE|ECONNRESET|EOF)$/.test(code ?? "")) readerGone.abort();
	else fault = code ?? "unknown fault";
}
