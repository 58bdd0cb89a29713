/*
 * Everything that the command line says goes through here, because what reads it is another program: its disk may be full, it may have
 * ended, or it may stand still. No line is worth the work: what cannot be written is dropped and counted.
 */

/** Bytes that wait for a reader that takes none; a service drops what comes after them. */
const MOST_WAITING = 1024 * 1024;
/** How long a service that has stopped waits for its last lines to be read. */
const FLUSH_MS = 2000;

let isServing = false;
let dropped = 0;
const readerGone = new AbortController();
let fault: string | undefined;

/** Lines that this process has dropped. */
export const countDroppedLines = (): number => dropped;

/** Aborts when nobody reads standard output any more: a list need not go on. */
export const untilReaderGone = (): AbortSignal => readerGone.signal;

/** Why a command's output could not be written, other than because its reader has ended. */
export const findOutputFault = (): string | undefined =>
	isServing ? undefined : fault;

/** Keeps a fault of these streams from ending the process. Each write is told of its own, and node would throw the same error again. */
export function watchStandardStreams(): void {
	for (const stream of [process.stdout, process.stderr])
		stream.on("error", () => {});
}

/** From here on this process is a service, which nobody's output may hold up. */
export function beginServing(): void {
	isServing = true;
}

/** To be called at the end: a reader that stands still does not keep a service that has stopped. */
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
	// EOF is Windows' word for it.
	if (/^(EPIPE|ECONNRESET|EOF)$/.test(code ?? "")) readerGone.abort();
	else fault = code ?? "unknown fault";
}
