import type { Db } from "../db/db.ts";
import type { Cipher } from "../secrets/cipher.ts";
import type { Caller } from "./caller.ts";
import type { Ports } from "./ports.ts";
import type { Standing } from "./standing.ts";

/** Everything a handler may use besides its input. Time and ids are parameters, so that tests can repeat them. */
export interface Context {
	readonly db: Db;
	readonly caller: Caller;
	/** The application clock at the start of the operation, in milliseconds since the epoch. */
	readonly nowMs: number;
	readonly cipher: Cipher;
	readonly ports: Ports;
	/** Undefined outside of a write. */
	readonly standing?: Standing | undefined;
	/** The records that the operation's references led to, so that none is read twice (`resource/references.ts`). */
	readonly found: Map<string, object>;
	newUuid(): string;
}
