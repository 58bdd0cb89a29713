import { recordAndClaim } from "@partnerwire/core";
import { onDatabase } from "../kit/database/database-client.ts";
import { expect } from "./kit/expect.ts";
import {
	type Filled,
	INTEGRATIONS,
	onServer,
	openFilled,
} from "./kit/on-postgres.ts";
import type { Part } from "./kit/report.ts";
import { median } from "./kit/rounds.ts";

const BATCH = 128;
const DAY_MS = 24 * 3_600_000;

/** Measures a claim of a batch, in microseconds for each delivery. The claims end with their lease. */
async function timeClaims(
	{ service: { store } }: Filled,
	rounds: number,
): Promise<number> {
	const times: number[] = [];
	for (let round = 0; round < rounds; round++) {
		const startedAt = performance.now();
		const {
			claimed: [claimed],
		} = await recordAndClaim(store, [], {
			nowMs: Date.now(),
			leaseMs: DAY_MS,
			rooms: [{ limit: BATCH, after: (round * 7) % INTEGRATIONS }],
		});
		times.push(((performance.now() - startedAt) / BATCH) * 1000);
		expect(claimed?.length === BATCH, "a claim took something else");
	}
	return median(times);
}

/** Compares a claim of 128 deliveries with 1,000,000 pending ones and with 20,000. */
export const benchPostgresClaim: Part = ({ quick }) =>
	onServer(async (server) => {
		const sizes = quick ? [20_000, 100_000] : [20_000, 1_000_000];
		const found: { size: number; us: number; bytes: number }[] = [];
		for (const size of sizes) {
			const name = `claim_${size}`;
			const filled = await openFilled(server, name, {
				rows: size,
				url: "http://127.0.0.1:9/",
			});
			await timeClaims(filled, 10);
			const us = await timeClaims(filled, 100);
			const bytes = await onDatabase(filled.database, async (client) => {
				const { rows } = await client.query(
					"select pg_total_relation_size('delivery')::float8 as bytes",
				);
				return rows[0].bytes / size;
			});
			found.push({ size, us, bytes });
			await filled.service.close();
		}
		const [few, many] = found as [(typeof found)[0], (typeof found)[0]];
		return {
			postgres_claim_ratio: many.us / few.us,
			rows: found.flatMap(({ size, us, bytes }) => [
				{ name: `claim, ${size} pending`, value: `${us.toFixed(1)} µs each` },
				{
					name: `a delivery's row and indexes`,
					value: `${bytes.toFixed(0)} B`,
				},
			]),
		};
	});
