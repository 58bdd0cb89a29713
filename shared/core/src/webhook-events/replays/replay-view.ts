import {
	notFound,
	type ReplayableStatus,
	type WebhookReplay,
	type WebhookReplayStatus,
} from "@partnerwire/contract";
import { and, eq } from "drizzle-orm";
import type { Context } from "../../context/context.ts";
import type { Db } from "../../db/db.ts";
import type { RowOf } from "../../db/insert-row.ts";
import { toIso, toIsoOrNull } from "../../values/times.ts";

/** Selects replays with the columns of their integration that readers need. */
export const selectReplays = ({
	query,
	tables: { webhookReplay, integration },
}: Db) =>
	query
		.select({
			replay: webhookReplay,
			integration: { uuid: integration.uuid, status: integration.status },
		})
		.from(webhookReplay)
		.innerJoin(integration, eq(integration.id, webhookReplay.integrationId))
		.$dynamic();

/** A replay to show: a stored one or a dry run. */
export interface ReplayRow {
	readonly replay: Omit<RowOf<"webhookReplay">, "uuid" | "status"> & {
		readonly uuid: string | null;
		readonly status: WebhookReplayStatus;
	};
	readonly integration: { readonly uuid: string; readonly status: string };
}

/** Maps a replay to the resource that the API returns. */
export function toWebhookReplay(
	{ replay, integration }: ReplayRow,
	nowMs: number,
): WebhookReplay {
	const { matched, replayed, skipped, status, ratePerSecond } = replay;
	const isRunning = status === "running";
	const left = Math.max(0, matched - replayed - skipped);
	const isWaiting = isRunning && integration.status === "paused";
	return {
		uuid: replay.uuid,
		integration_id: integration.uuid,
		status,
		waiting_for: isWaiting ? "pause" : null,
		since: toIsoOrNull(replay.sinceAt),
		until: toIsoOrNull(replay.untilAt),
		statuses: replay.states as ReplayableStatus[],
		event_ids: replay.eventIds,
		rate_per_second: ratePerSecond,
		fresh: replay.fresh,
		dry_run: status === "dry_run",
		counts: {
			matched,
			replayed,
			skipped,
			remaining: isRunning || status === "dry_run" ? left : 0,
			changed: isRunning || status === "dry_run" ? 0 : left,
		},
		reason: replay.reason,
		ends_at:
			isRunning && !isWaiting
				? toIso(nowMs + Math.ceil((left * 1000) / ratePerSecond))
				: null,
		created_at: toIso(replay.createdAt),
		updated_at: toIso(replay.updatedAt),
		finished_at: toIsoOrNull(replay.finishedAt),
	};
}

/** Reads a replay of the caller's company, or throws 404. */
export async function readReplay(uuid: string, { db, caller }: Context) {
	const { webhookReplay } = db.tables;
	const [found] = await selectReplays(db).where(
		and(
			eq(webhookReplay.uuid, uuid),
			eq(webhookReplay.companyUuid, caller.companyUuid),
		),
	);
	if (!found) throw notFound("webhook replay");
	return found;
}
