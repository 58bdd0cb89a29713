import { createHash, randomBytes } from "node:crypto";

/** Lets people, and scanners of leaked secrets, recognise a key. */
const PREFIX = "pwk_";
const SECRET_BYTES = 32;
const HINT_LENGTH = 10;

/** A new key value of 256 random bits, the hash under which it is stored, and the hint by which it is recognised. */
export function createKeyValue(): {
	value: string;
	hash: string;
	hint: string;
} {
	const value = PREFIX + randomBytes(SECRET_BYTES).toString("base64url");
	return {
		value,
		hash: hashKeyValue(value),
		hint: `${value.slice(0, HINT_LENGTH)}…`,
	};
}

/** A fast hash is enough: the value is random, so there is nothing to guess. */
export function hashKeyValue(value: string): string {
	return createHash("sha256").update(value).digest("base64url");
}
