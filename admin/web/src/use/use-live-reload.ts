import { onScopeDispose } from "vue";
import { type Hint, onHint } from "../api/stream.ts";

/** The shortest time between two reloads. */
const PAUSE_MS = 1500;

/** Reloads when the stream reports a change of something that the page shows. Hints close together cause one reload. */
export function useLiveReload(
	load: () => Promise<void>,
	concerns: (hint: Hint) => boolean = () => true,
): void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	let isWanted = false;

	const run = () => {
		isWanted = false;
		timer = setTimeout(() => {
			timer = undefined;
			if (isWanted) run();
		}, PAUSE_MS);
		void load();
	};
	const stop = onHint((hint) => {
		if (hint.kind !== "all" && !concerns(hint)) return;
		if (timer === undefined) run();
		else isWanted = true;
	});
	onScopeDispose(() => {
		stop();
		clearTimeout(timer);
	});
}
