import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { claimDue, returnClaimed } from "@partnerwire/core";
import { type Company, openCompany } from "./kit/company.ts";
import { expect } from "./kit/expect.ts";
import { addPendingRows } from "./kit/pending-rows.ts";
import type { Part } from "./kit/report.ts";
import { median } from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

const LANES = 200;
const FEW = 1000;
const NOW = Date.now();
const HOUR_MS = 3_600_000;

/** Measures a claim while the heads of 200 lanes wait, with many rows behind them and with few. Also measures a pause. */
export const benchClaim: Part = ({ quick }) =>
	inTempFolder(async (folder) => {
		const many = quick ? 50_000 : 1_000_000;
		const few = await openPending(join(folder, "few"), FEW);
		const full = await openPending(join(folder, "many"), many);
		try {
			const times = { few: [] as number[], many: [] as number[] };
			for (let round = 0; round < 300; round++) {
				times.few.push(await timeClaim(few));
				times.many.push(await timeClaim(full));
			}
			const [one, other] = [median(times.few), median(times.many)];
			const pauseMs = await timePause(full);
			return {
				claim_cost_ratio: other / one,
				rows: [
					{ name: `claim, ${FEW} pending`, value: `${one.toFixed(3)} ms` },
					{ name: `claim, ${many} pending`, value: `${other.toFixed(3)} ms` },
					{ name: `pause, ${many} pending`, value: `${pauseMs.toFixed(1)} ms` },
				],
			};
		} finally {
			await Promise.all([few.service.close(), full.service.close()]);
		}
	});

async function openPending(folder: string, rows: number): Promise<Company> {
	mkdirSync(folder);
	const company = await openCompany(folder, "http://127.0.0.1:9/hook");
	const dueAt = NOW + HOUR_MS;
	addPendingRows(join(folder, "ours.db"), { rows, lanes: LANES, dueAt });
	return company;
}

/** Times a claim that finds nothing due, and one that takes a single head and returns it. */
async function timeClaim({ service: { store } }: Company): Promise<number> {
	const options = { limit: 1, leaseMs: 60_000 };
	const startedAt = performance.now();
	const none = await claimDue(store, { ...options, nowMs: NOW });
	const one = await claimDue(store, { ...options, nowMs: NOW + 2 * HOUR_MS });
	const elapsed = performance.now() - startedAt;
	expect(none.length === 0 && one.length === 1, "a claim took something else");
	await returnClaimed(store, one);
	return elapsed;
}

async function timePause({ service, caller }: Company): Promise<number> {
	const { core } = service;
	const listed = await core.execute("listIntegrations", {}, caller);
	const [integration] = listed.data;
	const params = { integration_id: integration?.id ?? "" };
	const startedAt = performance.now();
	await core.execute("pauseIntegration", { params, body: {} }, caller);
	return performance.now() - startedAt;
}
