import type { Db } from "../db/db.ts";
import type { Cipher } from "../secrets/cipher.ts";
import type { Caller } from "./caller.ts";
import type { Ports } from "./ports.ts";

/** Everything a handler may use besides its input. Time and ids are parameters, so that tests can repeat them. */
export interface Context {
	readonly db: Db;
	readonly caller: Caller;
	/** The application clock at the start of the operation, in milliseconds since the epoch. */
	readonly nowMs: number;
	readonly cipher: Cipher;
	readonly ports: Ports;
	newUuid(): string;
}
