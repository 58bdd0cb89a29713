import type { Horizon } from "../db/postgres/horizon.ts";

/** The position of a reader that reads new rows by key, on an engine where keys are not committed in order. */
export interface KeyCursor {
	/** All keys up to this one were read, except the gaps. */
	readonly after: number;
	/**
	 * Keys before it that were missing, each with a transaction before which its own one began to write; null while
	 * unknown. Once all transactions before that have ended, a missing row was rolled back.
	 */
	readonly gaps: ReadonlyMap<number, number | null>;
}

export const toKeyCursor = (after: number): KeyCursor => ({
	after,
	gaps: new Map(),
});

/** Where gaps are cut off: a sequence may jump, as after a crash of the server. */
const MOST_GAPS = 2000;

/**
 * Moves the cursor after a read that found these keys, in order, after the cursor or in its gaps. The horizon was read
 * before; it is null if keys are committed in order.
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
