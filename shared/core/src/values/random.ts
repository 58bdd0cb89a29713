import { randomBytes, randomUUID } from "node:crypto";
import { v7 } from "uuid";

/** Where the ids of new rows and secrets come from: a parameter, like the clock (design §2, rule 7). */
export interface Random {
	/** The id of a new record: a UUIDv7 (RFC 9562) of the given time (decisions §1). */
	newUuid(nowMs: number): string;
	/** A UUIDv4, as signing secrets are (decisions §1). */
	newSecretUuid(): string;
	/** The bytes of a key's or a session's value. */
	bytes(size: number): Buffer;
}

/** A UUIDv7 (RFC 9562) of the given time, random beyond it. */
export const newUuid = (nowMs: number): string => v7({ msecs: nowMs });

/** The system's random source, which nobody can guess. */
export const systemRandom: Random = {
	newUuid,
	newSecretUuid: randomUUID,
	bytes: randomBytes,
};
