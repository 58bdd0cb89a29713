import { join } from "node:path";
import { loadSecretKey } from "@partnerwire/core";
import type { CopyCalls } from "./children/copy-ours.ts";
import { openChild } from "./kit/child.ts";
import { expect } from "./kit/expect.ts";
import { MATCHES } from "./kit/many-leads.ts";
import { addDatabase, onServer } from "./kit/on-postgres.ts";
import type { Part, Row } from "./kit/report.ts";
import { inTempFolder } from "./kit/temp-folder.ts";
import { openLeads } from "./lists.ts";

/** Copies few and many leads from SQLite to PostgreSQL and back, and compares the memory that both need. */
export const benchCopy: Part = ({ quick }) =>
	onServer((server) =>
		inTempFolder(async (folder) => {
			const rows: Row[] = [];
			const peaks: number[] = [];
			for (const leads of quick
				? [2 * MATCHES, 20 * MATCHES]
				: [10 * MATCHES, 1000 * MATCHES]) {
				const { company } = await openLeads(join(folder, `${leads}`), leads);
				await company.service.close();
				const sqlite = join(folder, `${leads}/ours.db`);
				const postgres = await addDatabase(server, `copy_${leads}`);
				const key = loadSecretKey(sqlite, undefined).toString("hex");
				const back = join(folder, `${leads}/back.db`);
				for (const [from, to, way] of [
					[sqlite, postgres, "SQLite to PostgreSQL"],
					[postgres, back, "PostgreSQL to SQLite"],
				] as const) {
					const child = openChild<CopyCalls>("children/copy-ours.ts");
					const copied = await child.call("copy", { from, to, key });
					await child.close();
					expect(copied.rows > leads, `${copied.rows} rows were copied`);
					peaks.push(copied.peakMb);
					rows.push({
						name: `${leads} leads, ${way}`,
						value: `${copied.seconds.toFixed(1)} s, at most ${copied.peakMb.toFixed(0)} MB`,
					});
				}
			}
			const [fewThere = 0, fewBack = 0, manyThere = 0, manyBack = 0] = peaks;
			return {
				copy_memory_ratio: Math.max(manyThere / fewThere, manyBack / fewBack),
				rows,
			};
		}),
	);
