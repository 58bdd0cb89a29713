import { onScopeDispose } from "vue";

const EVERY_MS = 1500;

/** Reloads at an interval while something runs: the stream does not report a replay's progress. */
export function useRefresh(
	load: () => Promise<void>,
	isRunning: () => boolean,
): void {
	const timer = setInterval(() => {
		if (isRunning()) void load();
	}, EVERY_MS);
	onScopeDispose(() => clearInterval(timer));
}
