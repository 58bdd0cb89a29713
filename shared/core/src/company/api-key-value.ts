import { createHash } from "node:crypto";
import type { Random } from "../values/random.ts";

const SECRET_BYTES = 32;
const HINT_LENGTH = 10;

/** A value of 256 random bits; its prefix lets people, and scanners of leaked secrets, recognise it. */
export const createSecretValue = (prefix: string, random: Random): string =>
	prefix + random.bytes(SECRET_BYTES).toString("base64url");

/** Creates a key value, the hash under which it is stored, and the hint by which people recognise it. */
export function createKeyValue(random: Random): {
	value: string;
	hash: string;
	hint: string;
} {
	const value = createSecretValue("pwk_", random);
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
