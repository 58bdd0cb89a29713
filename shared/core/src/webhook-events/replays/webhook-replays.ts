import {
	ApiError,
	type WebhookReplay,
	type WebhookReplayCreate,
} from "@partnerwire/contract";
import { and, eq } from "drizzle-orm";
import type { Change } from "../../context/change.ts";
import type { Context } from "../../context/context.ts";
import { insertRow, type RowOf } from "../../db/insert-row.ts";
import { countSelected } from "../../delivery/replay/selection.ts";
import { defineActionHandler, type Handlers } from "../../execute/handlers.ts";
import { listPage } from "../../resource/list-page.ts";
import { type FoundSelection, findSelection } from "./find-selection.ts";
import { readReplay, selectReplays, toWebhookReplay } from "./replay-view.ts";

const toChange = (
	action: string,
	before: WebhookReplay | null,
	after: WebhookReplay,
): Change => ({
	entity: "webhook_replay",
	uuid: after.uuid as string,
	action,
	before: before && { ...before },
	after: { ...after },
});

type Plan = FoundSelection & { body: WebhookReplayCreate };

const toRow = (
	{ body, selection }: Plan,
	matched: number,
	{ caller, nowMs, newUuid }: Context,
): Omit<RowOf<"webhookReplay">, "id"> => ({
	uuid: newUuid(),
	companyUuid: caller.companyUuid,
	integrationId: selection.integrationId,
	status: "running",
	sinceAt: selection.sinceAt,
	untilAt: selection.untilAt,
	states: [...selection.states],
	eventIds: [...selection.eventIds],
	fresh: body.fresh,
	ratePerSecond: body.rate_per_second,
	matched,
	replayed: 0,
	skipped: 0,
	cursor: 0,
	endSequence: selection.endSequence,
	tokens: 0,
	tokensAt: nowMs,
	reason: null,
	createdAt: nowMs,
	updatedAt: nowMs,
	finishedAt: null,
});

/** The handlers of replays (docs/decisions.md#replays). `delivery/replay/run-replays.ts` runs them. */
export const webhookReplayHandlers = {
	listWebhookReplays: ({ query }, { db, caller, nowMs }) => {
		const { webhookReplay, integration } = db.tables;
		const { integration_id } = query;
		const wantedIntegration = db.query
			.select({ id: integration.id })
			.from(integration)
			.where(eq(integration.uuid, integration_id?.toLowerCase() ?? ""));
		return listPage(db, query, {
			table: webhookReplay,
			query: selectReplays(db),
			conditions: [
				eq(webhookReplay.companyUuid, caller.companyUuid),
				integration_id === undefined
					? undefined
					: eq(webhookReplay.integrationId, wantedIntegration),
			],
			toItems: (rows) => rows.map((row) => toWebhookReplay(row, nowMs)),
		});
	},

	getWebhookReplay: async ({ params }, context) =>
		toWebhookReplay(await readReplay(params.uuid, context), context.nowMs),

	createWebhookReplay: defineActionHandler("createWebhookReplay", {
		plan: async ({ body }, context): Promise<Plan> => ({
			body,
			...(await findSelection(body, body.statuses, context)),
		}),
		perform: ({ selection }, _, store) => countSelected(store.read, selection),
		async finish(matched, plan, context) {
			const { db, nowMs } = context;
			const row = toRow(plan, matched, context);
			if (plan.body.dry_run) {
				const replay = {
					...row,
					id: 0,
					uuid: null,
					status: "dry_run",
				} as const;
				const { integration } = plan;
				return {
					result: toWebhookReplay({ replay, integration }, nowMs),
					changes: [],
				};
			}
			await insertRow(db, "webhookReplay", row);
			const result = toWebhookReplay(
				await readReplay(row.uuid, context),
				nowMs,
			);
			return { result, changes: [toChange("created", null, result)] };
		},
	}),

	cancelWebhookReplay: async ({ params }, context) => {
		const { db, nowMs } = context;
		const found = await readReplay(params.uuid, context);
		const { webhookReplay } = db.tables;
		const [replay] = await db.query
			.update(webhookReplay)
			.set({
				status: "cancelled",
				reason: "it was cancelled by hand",
				updatedAt: nowMs,
				finishedAt: nowMs,
			})
			.where(
				and(
					eq(webhookReplay.id, found.replay.id),
					eq(webhookReplay.status, "running"),
				),
			)
			.returning();
		if (replay) {
			const before = toWebhookReplay(found, nowMs);
			const after = toWebhookReplay({ ...found, replay }, nowMs);
			return { result: after, changes: [toChange("cancelled", before, after)] };
		}
		// Read again: the replay may have ended while the update waited for the worker that ended it.
		const ended = await readReplay(params.uuid, context);
		if (ended.replay.status === "completed")
			throw new ApiError("conflict", "the webhook replay is completed already");
		return { result: toWebhookReplay(ended, nowMs), changes: [] };
	},
} satisfies Partial<Handlers>;
