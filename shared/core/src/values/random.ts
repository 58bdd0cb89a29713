import { randomBytes, randomUUID } from "node:crypto";
import { v7 } from "uuid";

/** The source of ids and secrets: a parameter, like the clock, so that tests and the emulator can repeat it. */
export interface Random {
	/** The id of a new record: a UUIDv7 (RFC 9562 §5.7) of the given time (docs/decisions.md#ids-of-records). */
	newUuid(nowMs: number): string;
	/** A UUIDv4, as signing secrets are (docs/decisions.md#signing-secret). */
	newSecretUuid(): string;
	/** Bytes for the value of an API key or a session. */
	bytes(size: number): Buffer;
}

/** A UUIDv7 (RFC 9562 §5.7) of the given time; the other bits are random. */
export const newUuid = (nowMs: number): string => v7({ msecs: nowMs });

/** The system's random source, which cannot be predicted. */
export const systemRandom: Random = {
	newUuid,
	newSecretUuid: randomUUID,
	bytes: randomBytes,
};
