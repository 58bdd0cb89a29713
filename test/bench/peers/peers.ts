import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openRedis } from "../../kit/database/redis-server.ts";
import { installOnce } from "../../kit/install-once.ts";
import type { Calls as SinkCalls } from "../children/sink.ts";
import { type Child, openChild } from "../kit/child.ts";
import { draining } from "../kit/drain.ts";
import type { DrainCalls } from "../kit/drain-load.ts";
import { addDatabase, onServer } from "../kit/on-postgres.ts";
import type { Part } from "../kit/report.ts";
import { medianRatio, runRounds, showRates } from "../kit/rounds.ts";
import { inTempFolder } from "../kit/temp-folder.ts";

const GRAPHILE = "./peers/graphile-worker.mjs";

/** The contenders, and the files that run them. */
const CONTENDERS = {
	ours: { name: "our worker", file: "./children/drain-ours.ts" },
	loop: { name: "hand-written loop", file: "./children/drain-loop.ts" },
	batched: { name: "graphile-worker, batched", file: GRAPHILE },
	plain: { name: "graphile-worker, plain", file: GRAPHILE },
	boss: { name: "pg-boss", file: "./peers/pg-boss.mjs" },
	bullmq: { name: "BullMQ on Redis", file: "./peers/bullmq.mjs" },
} as const;
type Name = keyof typeof CONTENDERS;
const NAMES = Object.keys(CONTENDERS) as Name[];

const toEach = <Value>(make: (name: Name) => Value) =>
	Object.fromEntries(NAMES.map((name) => [name, make(name)])) as Record<
		Name,
		Value
	>;

/**
 * Delivers the same webhooks by our worker, by job queues and by a hand-written loop, each from a full queue of its own: PostgreSQL with
 * its default durability, or Redis that syncs every command. `npm run bench -- peers` installs the job queues first.
 */
export const benchPeers: Part = (options) =>
	inTempFolder((folder) =>
		onServer(async (server) => {
			installOnce(import.meta.dirname, "The bench part `peers`");
			const redis = await openRedis();
			const sink = openChild<SinkCalls>("./children/sink.ts");
			const processes = toEach(
				(name): Child<DrainCalls> => openChild(CONTENDERS[name].file),
			);
			try {
				const origin = await sink.call("listen", undefined);
				for (const name of NAMES) {
					const own = join(folder, name);
					mkdirSync(own);
					const database =
						name === "bullmq"
							? redis.url
							: await addDatabase(server, `peer_${name}`);
					const isBatched = name === "batched";
					const given = { folder: own, origin, database, isBatched };
					await processes[name].call("open", given);
				}
				const rates = await runRounds(
					toEach((name) => draining(processes[name], sink)),
					options,
				);
				const ratioTo = (name: Name) => medianRatio(rates.ours, rates[name]);
				return {
					peers_graphile_ratio: ratioTo("batched"),
					peers_graphile_plain_ratio: ratioTo("plain"),
					peers_pg_boss_ratio: ratioTo("boss"),
					peers_bullmq_ratio: ratioTo("bullmq"),
					rows: NAMES.map((name) => ({
						name: CONTENDERS[name].name,
						value: showRates(rates[name]),
					})),
				};
			} finally {
				const children = [sink, ...Object.values(processes)];
				await Promise.all(children.map((child) => child.close()));
				await redis.close();
			}
		}),
	);
