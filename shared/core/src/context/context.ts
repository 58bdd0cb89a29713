import type { Db } from "../db/db.ts";
import type { Cipher } from "../secrets/cipher.ts";
import type { Caller } from "./caller.ts";
import type { Ports } from "./ports.ts";

/** What a handler works with. Time and ids are parameters. */
export interface Context {
	readonly db: Db;
	readonly caller: Caller;
	/** The application clock at the start of the operation, in milliseconds since the epoch. */
	readonly nowMs: number;
	readonly cipher: Cipher;
	readonly ports: Ports;
	newUuid(): string;
}
