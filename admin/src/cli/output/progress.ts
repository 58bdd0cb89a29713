import { paint } from "./output.ts";
import { clearProgress, setProgressLine } from "./progress-line.ts";

/** A line on a terminal that says how far something is, drawn over itself; nothing where there is no terminal. */
export interface Progress {
	show(text: string): void;
	end(): void;
}

export function createProgress(
	stream: NodeJS.WriteStream = process.stderr,
): Progress {
	if (!stream.isTTY) return { show: () => {}, end: () => {} };
	const clear = "\r\u001b[2K";
	return {
		show(text) {
			stream.write(`${clear}${paint.dim(text)}`);
			setProgressLine(() => stream.write(clear));
		},
		end: clearProgress,
	};
}
