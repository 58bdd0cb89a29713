import type { Db } from "../db/db.ts";
import type { Cipher } from "../secrets/cipher.ts";
import type { Caller } from "./caller.ts";
import type { Ports } from "./ports.ts";

/** The parameters of a handler. Time and ids are parameters, for tests. */
export interface Context {
	readonly db: Db;
	readonly caller: Caller;
	/** The application clock at the start of the operation, in milliseconds since the epoch. */
	readonly nowMs: number;
	readonly cipher: Cipher;
	readonly ports: Ports;
	newUuid(): string;
}
