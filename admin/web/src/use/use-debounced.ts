import { onScopeDispose, type Ref, watch } from "vue";

/** Calls back with the typed text when the user stops typing. */
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
