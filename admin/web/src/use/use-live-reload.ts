import { onScopeDispose } from "vue";
import { type Hint, onHint } from "../api/stream.ts";

/** At most this often, however much happens. */
const PAUSE_MS = 1500;

/** Loads again when the stream tells of something that the page shows; hints that come close together are one. */
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
