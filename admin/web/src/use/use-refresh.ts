import { onScopeDispose } from "vue";

const EVERY_MS = 1500;

/** Loads again and again while something runs: a replay's progress is not in the stream. */
export function useRefresh(
	load: () => Promise<void>,
	isRunning: () => boolean,
): void {
	const timer = setInterval(() => {
		if (isRunning()) void load();
	}, EVERY_MS);
	onScopeDispose(() => clearInterval(timer));
}
