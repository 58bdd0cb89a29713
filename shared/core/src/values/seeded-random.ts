import { createHmac } from "node:crypto";
import { v4, v7 } from "uuid";
import type { Random } from "./random.ts";

/**
 * A source that gives the same ids and secrets each time, for the emulator and for tests. Anyone who knows the seed
 * knows them all. Ids count up from `startMs` instead of following the clock: they are in order, and the same at any
 * time.
 */
export function createSeededRandom(seed: string, startMs: number): Random {
	// Each kind has its own stream: one more key does not shift every id.
	const ids = createStream(`${seed}/ids`);
	const secrets = createStream(`${seed}/secrets`);
	const values = createStream(`${seed}/values`);
	let count = 0;
	return {
		newUuid: () => v7({ msecs: startMs + count++, random: ids(16) }),
		newSecretUuid: () => v4({ random: secrets(16) }),
		bytes: values,
	};
}

function createStream(key: string): (size: number) => Buffer {
	let drawn = 0;
	return (size) => {
		const parts: Buffer[] = [];
		for (let length = 0; length < size; length += 32)
			parts.push(createHmac("sha256", key).update(String(drawn++)).digest());
		return Buffer.concat(parts, size);
	};
}
