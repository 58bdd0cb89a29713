export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** Writes one structured line, unless its level is below the one that is logged. */
export type Log = (
	level: LogLevel,
	message: string,
	members?: Readonly<Record<string, unknown>>,
) => void;

/** A log of JSON lines: `{"level":…,"time":…,"message":…}` and further members. */
export function createLog(
	lowest: LogLevel,
	write: (line: string) => void,
	clock: () => number = () => Date.now(),
): Log {
	const from = LOG_LEVELS.indexOf(lowest);
	return (level, message, members) => {
		if (LOG_LEVELS.indexOf(level) < from) return;
		const time = new Date(clock()).toISOString();
		write(JSON.stringify({ level, time, message, ...members }));
	};
}
