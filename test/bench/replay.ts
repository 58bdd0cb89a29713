import type { Calls } from "./children/replay-ours.ts";
import type { Calls as SinkCalls } from "./children/sink.ts";
import { openChild } from "./kit/child.ts";
import { expect } from "./kit/expect.ts";
import type { Part } from "./kit/report.ts";
import { median } from "./kit/rounds.ts";
import { inTempFolder } from "./kit/temp-folder.ts";

/** Live events per second, of an integration that is not replayed. */
const LIVE_PER_SECOND = 200;

/** Measures how well a replay keeps its rate, and the live traffic before, during and after it. */
export const benchReplay: Part = ({ quick }) =>
	inTempFolder(async (folder) => {
		const { rows, perSecond, seconds } = quick
			? { rows: 1000, perSecond: 500, seconds: 0.7 }
			: { rows: 100_000, perSecond: 500, seconds: 20 };
		const sink = openChild<SinkCalls>("./children/sink.ts");
		const ours = openChild<Calls>("./children/replay-ours.ts");
		try {
			const origin = await sink.call("listen", undefined);
			await ours.call("open", { folder, origin, rows });
			const run = (replayPerSecond: number | null) =>
				ours.call("run", {
					seconds,
					perSecond: LIVE_PER_SECOND,
					replayPerSecond,
				});
			const before = await run(null);
			const during = await run(perSecond);
			const after = await run(null);
			const { replay } = during;
			expect(
				replay?.given === rows,
				`${rows} deliveries, but ${replay?.given} were replayed`,
			);
			const rate = rows / (replay?.seconds ?? 0);
			const alone = median([before.live.perSecond, after.live.perSecond]);
			const show = ({ live }: typeof before) =>
				`${Math.round(live.perSecond)}/s, ${live.medianMs.toFixed(1)} ms (p99 ${live.slowMs.toFixed(1)} ms)`;
			return {
				replay_rate_ratio: rate / perSecond,
				replay_live_ratio: during.live.perSecond / alone,
				rows: [
					{
						name: `replay of ${rows} at ${perSecond}/s`,
						value: `${rate.toFixed(1)}/s`,
					},
					{ name: "live traffic before", value: show(before) },
					{ name: "live traffic during", value: show(during) },
					{ name: "live traffic after", value: show(after) },
				],
			};
		} finally {
			await Promise.all([sink.close(), ours.close()]);
		}
	});
