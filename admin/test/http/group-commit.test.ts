import { Pool } from "undici";
import { expect, test } from "vitest";
import { openApi } from "#kit/program/api.ts";
import { createPartner } from "../support/records.ts";

const CONNECTIONS = 64;
const TURNS = 10;

test("at 64 connections more than 5 requests share a commit on average, a refused one among them fails alone", async () => {
	const batches: number[] = [];
	const api = await openApi({
		onBatch: (writes) => batches.push(writes),
		// How fast the machine is must not decide where a batch ends.
		maxBatchMs: 10_000,
	});
	const { uuid } = await createPartner(api);
	// A bare client: the suite's own checks each answer, in the service's event loop, and so thins the crowd.
	const pool = new Pool(api.url, { connections: CONNECTIONS });
	const statuses: Record<number, number> = {};
	const connection = async (client: number) => {
		// Every eighth client refers to a partner that does not exist: its write fails inside the batch.
		const partnership_uuid = client % 8 === 0 ? api.seeded.user_uuid : uuid;
		for (let turn = 0; turn < TURNS; turn++) {
			const { statusCode, body } = await pool.request({
				method: "POST",
				path: "/v1/leads",
				headers: {
					authorization: `Bearer ${api.seeded.keys.write}`,
					"content-type": "application/json",
				},
				body: JSON.stringify({ partnership_uuid }),
			});
			await body.dump();
			statuses[statusCode] = (statuses[statusCode] ?? 0) + 1;
		}
	};
	batches.length = 0;
	await Promise.all(
		Array.from({ length: CONNECTIONS }, (_, client) => connection(client)),
	);
	const refused = (CONNECTIONS / 8) * TURNS;
	const created = CONNECTIONS * TURNS - refused;
	expect(statuses).toEqual({ 201: created, 400: refused });
	const writes = batches.reduce((sum, size) => sum + size, 0);
	// A refused one that is alone in its transaction is no commit.
	expect(writes).toBeGreaterThanOrEqual(created);
	expect(writes).toBeLessThanOrEqual(CONNECTIONS * TURNS);
	expect(writes / batches.length).toBeGreaterThan(5);
	const { body } = await api.call("listLeads", { query: "?per_page=1" });
	expect(body.pagination.total).toBe(created);
	await pool.close();
	await api.close();
});
