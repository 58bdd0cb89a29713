import { authenticate } from "./company/authenticate.ts";
import type { Caller } from "./context/caller.ts";
import type { Ports } from "./context/ports.ts";
import type { Store } from "./db/db.ts";
import { createExecute, type Execute } from "./execute/execute.ts";
import { handlers } from "./handlers.ts";
import { checkKey } from "./secrets/check-key.ts";
import type { Cipher } from "./secrets/cipher.ts";

/** The parts that `createCore` needs. */
export interface CoreOptions {
	readonly store: Store;
	readonly cipher: Cipher;
	readonly ports: Ports;
	/** The application clock, in milliseconds since the epoch. */
	readonly clock?: () => number;
}

export interface Core {
	readonly store: Store;
	readonly cipher: Cipher;
	readonly clock: () => number;
	/** Runs one operation of the table. There is no other way in. */
	readonly execute: Execute;
	/** The caller behind an API key's value, or null. */
	authenticate(keyValue: string): Promise<Caller | null>;
}

/**
 * Builds the core: the database, the features and `execute`. Throws a `SecretKeyError` if the cipher's key is not the
 * database's.
 */
export async function createCore({
	store,
	cipher,
	ports,
	clock = () => Date.now(),
}: CoreOptions): Promise<Core> {
	await checkKey(store, cipher);
	return {
		store,
		cipher,
		clock,
		authenticate: (keyValue) => authenticate(store.read, keyValue),
		execute: createExecute({
			store,
			handlers,
			toContext: (db, caller, standing) => {
				const nowMs = clock();
				return {
					db,
					caller,
					nowMs,
					cipher,
					ports,
					standing,
					found: new Map(),
					newUuid: () => db.random.newUuid(nowMs),
				};
			},
		}),
	};
}
