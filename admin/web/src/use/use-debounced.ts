import { onScopeDispose, type Ref, watch } from "vue";

/** Calls with what was typed once the typing rests. */
export function useDebounced(
	typed: Ref<string>,
	then: (text: string) => void,
	restMs = 250,
): void {
	let timer: ReturnType<typeof setTimeout> | undefined;
	watch(typed, (text) => {
		clearTimeout(timer);
		timer = setTimeout(() => then(text), restMs);
	});
	onScopeDispose(() => clearTimeout(timer));
}
