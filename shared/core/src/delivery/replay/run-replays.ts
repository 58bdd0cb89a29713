import { asc, eq, sql } from "drizzle-orm";
import type { Db, Store } from "../../db/db.ts";
import type { RowOf } from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";
import { CLOCK_SKEW_MS } from "../../values/clock-skew.ts";
import {
	selectWebhookEvents,
	type WebhookEventRow,
} from "../emit/webhook-event-view.ts";
import { lockIntegrations } from "../sql/lock-integrations.ts";
import { addFresh, readSize, refusalOf, requeue } from "./requeue.ts";
import { WINDOW, whenSelected } from "./selection.ts";

type Replay = RowOf<"webhookReplay">;

/** Deliveries requeued in one transaction: a few milliseconds. */
const BATCH = 50;
/** After a pause in which no process ran, a replay catches up on at most this many seconds. */
const BURST_S = 2;
/** Tokens are counted in thousandths: at one a second, a millisecond adds one. */
const TOKEN = 1000;

export const runningReplays = defineQuery(
	"running_replays",
	({ query, tables: { webhookReplay, integration } }) =>
		query
			.select({
				replay: webhookReplay,
				isPaused: sql<number>`${integration.status} = 'paused' and ${integration.deletedAt} is null`,
			})
			.from(webhookReplay)
			.innerJoin(integration, eq(integration.id, webhookReplay.integrationId))
			// Spelled as in the partial index, without which SQLite does not use it.
			.where(sql`${webhookReplay.status} = 'running'`)
			.orderBy(asc(webhookReplay.id)),
);

/** Updates the replay's row first: on PostgreSQL, the lock keeps other processes out of the same step. */
const takeReplay = defineQuery(
	"take_replay",
	({ query, tables: { webhookReplay } }) =>
		query
			.update(webhookReplay)
			.set({ updatedAt: sql`${sql.placeholder("nowMs")}` })
			.where(
				sql`${webhookReplay.id} = ${sql.placeholder("id")} and ${webhookReplay.status} = 'running'`,
			)
			.returning(),
);

/** The replay's bucket, filled up to `nowMs` at its rate since the job was made. */
function refill(replay: Replay, nowMs: number) {
	const { tokens, tokensAt, ratePerSecond } = replay;
	const elapsedMs = nowMs - tokensAt;
	const added = Math.max(0, elapsedMs) * ratePerSecond;
	return {
		tokens: Math.min(ratePerSecond * BURST_S * TOKEN, tokens + added),
		tokensAt: elapsedMs < -CLOCK_SKEW_MS ? nowMs : Math.max(tokensAt, nowMs),
	};
}

/** When a replay may requeue its next delivery: `nowMs` if it may now. */
export function nextReplayAt(replay: Replay, nowMs: number): number {
	const { tokens, tokensAt } = refill(replay, nowMs);
	if (tokens >= TOKEN) return nowMs;
	return tokensAt + Math.ceil((TOKEN - tokens) / replay.ratePerSecond);
}

/**
 * Requeues the due deliveries of every running replay. Each small transaction also moves the job's cursor: any number
 * of processes may run this at once, and a killed one loses nothing. A replay waits while its integration is paused.
 * The signal stops it between two transactions, with its reason. Returns the number of deliveries requeued.
 */
export async function runReplays(
	store: Store,
	nowMs: number,
	signal?: AbortSignal,
): Promise<number> {
	let requeued = 0;
	for (const { replay, isPaused } of await runningReplays(store.readUnsynced)) {
		if (isPaused || refill(replay, nowMs).tokens < TOKEN) continue;
		for (let hasMore = true; hasMore; ) {
			const step = await store.write((db) => advance(db, replay.id, nowMs));
			requeued += step.requeued;
			hasMore = step.hasMore;
			signal?.throwIfAborted();
		}
	}
	if (requeued > 0) store.wake();
	return requeued;
}

const DONE = { requeued: 0, hasMore: false };

async function advance(db: Db, id: number, nowMs: number) {
	const [replay] = await takeReplay(db, { id, nowMs });
	if (!replay) return DONE;
	await lockIntegrations(db, [replay.integrationId]);
	const { integration } = db.tables;
	const [owner] = await db.query
		.select()
		.from(integration)
		.where(eq(integration.id, replay.integrationId));
	if (!owner || owner.deletedAt !== null) {
		await writeReplay(db, id, {
			status: "cancelled",
			reason: "the integration was deleted",
			finishedAt: nowMs,
		});
		return DONE;
	}
	const bucket = refill(replay, nowMs);
	const wanted = Math.min(BATCH, Math.floor(bucket.tokens / TOKEN));
	if (owner.status === "paused" || wanted < 1) return DONE;
	const to = Math.min(replay.cursor + WINDOW, replay.endSequence);
	const rows = await selectWebhookEvents(db)
		.where(whenSelected(db.tables, replay, replay.cursor, to))
		.orderBy(asc(db.tables.delivery.sequence))
		.limit(wanted);
	let requeued = 0;
	for (const found of rows)
		if (await requeueOne(db, found, replay.fresh, nowMs)) requeued++;
	const cursor =
		rows.length === wanted ? (rows.at(-1)?.row.sequence ?? to) : to;
	const tokens = bucket.tokens - requeued * TOKEN;
	const isOver = cursor >= replay.endSequence;
	await writeReplay(db, id, {
		cursor,
		replayed: replay.replayed + requeued,
		skipped: replay.skipped + rows.length - requeued,
		tokens,
		tokensAt: bucket.tokensAt,
		...(isOver && { status: "completed", finishedAt: nowMs }),
	});
	return { requeued, hasMore: !isOver && tokens >= TOKEN };
}

async function requeueOne(
	db: Db,
	found: WebhookEventRow,
	fresh: boolean,
	nowMs: number,
): Promise<boolean> {
	const size = await readSize(found, db);
	if (refusalOf(found, size, fresh)) return false;
	const context = { db, nowMs, newUuid: () => db.random.newUuid(nowMs) };
	if (fresh) await addFresh(found, size, context);
	else await requeue(found, context);
	return true;
}

const writeReplay = (db: Db, id: number, columns: Partial<Replay>) =>
	db.query
		.update(db.tables.webhookReplay)
		.set(columns)
		.where(eq(db.tables.webhookReplay.id, id));
