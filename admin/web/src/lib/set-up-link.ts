import { shallowRef } from "vue";

/** The token of a set-up link that was opened but not used yet. */
export const setUpToken = shallowRef<string | null>(null);

/** Reads the token of a one-time link (`#link=…`), and removes it from the address and the history. */
export function takeSetUpLink(
	{ hash, pathname, search }: Location,
	history: History,
): void {
	const token = new URLSearchParams(hash.slice(1)).get("link");
	if (!token) return;
	history.replaceState(null, "", pathname + search);
	setUpToken.value = token;
}
