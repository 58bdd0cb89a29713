import type { Horizon } from "../db/postgres/horizon.ts";

/** How far somebody has got who reads new rows by key, on an engine where keys are not committed in their order. */
export interface KeyCursor {
	/** All keys up to this one were read, but for the gaps. */
	readonly after: number;
	/**
	 * Keys before it that were not there yet, each with a transaction before which its own one began to write; null while
	 * that is not known. Once all before it are over, what is not there was taken back.
	 */
	readonly gaps: ReadonlyMap<number, number | null>;
}

export const toKeyCursor = (after: number): KeyCursor => ({
	after,
	gaps: new Map(),
});

/** A sequence that jumped, as after a crash of the server, leaves no more to look for. */
const MOST_GAPS = 2000;

/**
 * The cursor after a look that found these keys, in order, among those after the cursor and its gaps. The horizon was read
 * before the look; null where keys are committed in their order.
 */
export function moveKeys(
	{ after, gaps }: KeyCursor,
	found: readonly number[],
	horizon: Horizon | null,
): KeyCursor {
	const last = Math.max(after, found.at(-1) ?? 0);
	if (!horizon) return toKeyCursor(last);
	const left = new Map<number, number | null>();
	const there = new Set(found);
	for (const [key, begun] of gaps) {
		const before = begun ?? horizon.to;
		if (!there.has(key) && before > horizon.from) left.set(key, before);
	}
	for (let key = last - 1; key > after && left.size < MOST_GAPS; key--)
		if (!there.has(key)) left.set(key, null);
	return { after: last, gaps: left };
}
