import { paint } from "./output.ts";
import { clearProgress, setProgressLine } from "./progress-line.ts";

/** A progress line on a terminal, which overwrites itself. Without a terminal it prints nothing. */
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
