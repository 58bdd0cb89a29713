import type { Bytes } from "../common/incoming.ts";
import type { Explain } from "./explain.ts";

/** A value or a promise of it: Node's crypto answers at once, WebCrypto later. */
export type Awaitable<T> = T | Promise<T>;

/** The cryptography that the verifier needs. `#crypto` resolves to `crypto-node.ts` on Node and to `crypto-web.ts` elsewhere. */
export interface PlatformCrypto<Key = unknown> {
	/** Imports a secret. Its UTF-8 bytes are used as they are spelled. */
	createKey(secret: string | Bytes): Awaitable<Key>;
	/** The index of the key that signed the token, or -1. It takes the same time for each index. */
	matchKey(token: string, keys: readonly Key[]): Awaitable<number>;
	/** The text of a canonical base64url segment; undefined if its bytes are not UTF-8. */
	decodeSegment(segment: string): string | undefined;
	/** base64url SHA-256. */
	hash(data: Bytes | string): Awaitable<string>;
	/** Says why a token was refused and what to do. Only on Node, where a bundle's size does not matter. */
	explain?: Explain;
}

/**
 * Narrows one of our own awaitables to its promise, so that a synchronous platform needs no microtask. It does not look for `then`:
 * that lookup on strings, booleans and objects costs more than the await.
 */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
	return value instanceof Promise;
}
