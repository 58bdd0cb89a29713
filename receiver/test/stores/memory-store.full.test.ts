import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { memoryStore } from "@partnerwire/receiver";
import { expect, test } from "vitest";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const heapBytes = (): number => {
	collect();
	return process.memoryUsage().heapUsed;
};

test("F10 a million distinct events leave the heap flat", async () => {
	const store = memoryStore({ maxEntries: 20_000 });
	let next = 0;
	const deliver = async (count: number) => {
		for (const end = next + count; next < end; next++) {
			const claimed = await store.claim({
				fingerprint: `v1:${String(next).padStart(43, "0")}`,
				deliveryId: `0197a4a0-0000-7000-8000-0000000000c1/${next}`,
				entityId: `0197a4a0-0000-7000-8000-0000000000c1/lead/${next}`,
				sequence: next,
				supersedes: false,
				leaseMs: 15_000,
			});
			if (claimed.state === "claimed")
				await store.commit(claimed.ticket, 30 * 60 * 60 * 1000);
		}
	};
	await deliver(100_000);
	const before = heapBytes();
	await deliver(900_000);
	const grownBytes = heapBytes() - before;
	expect(store.size).toBe(20_000);
	// A tenth of the records' own memory. A leak for each event would be a hundred times more.
	expect(grownBytes).toBeLessThan(4 * 1024 * 1024);
});
