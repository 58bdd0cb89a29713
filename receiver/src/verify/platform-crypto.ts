import type { Explain } from "../explain.ts";

/** A value or a promise of it: Node's crypto answers at once, WebCrypto later. */
export type Awaitable<T> = T | Promise<T>;

/** What the verifier needs of the platform; `#crypto` resolves to one of two implementations (design §1, The receiver). */
export interface PlatformCrypto<Key = unknown> {
	/** Imports a secret, used as spelled: its UTF-8 bytes (case E04). */
	createKey(secret: string | Uint8Array<ArrayBuffer>): Awaitable<Key>;
	/** The index of the key that signed the token, or -1; does the same work whichever it is (case E07). */
	matchKey(token: string, keys: readonly Key[]): Awaitable<number>;
	/** The text of a canonical base64url segment; undefined if its bytes are not UTF-8. */
	decodeSegment(segment: string): string | undefined;
	/** base64url SHA-256. */
	hash(data: Uint8Array<ArrayBuffer> | string): Awaitable<string>;
	/** Only where the bytes of a bundle do not count: why a token was refused and what to do. */
	explain?: Explain;
}

/**
 * Narrows an awaitable of our own to its promise, so that a synchronous platform pays for no microtask. Not by its `then`: that lookup
 * on strings, booleans and objects alike costs more than the await.
 */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
	return value instanceof Promise;
}
