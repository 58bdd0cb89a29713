import { type Integration, notFound } from "@partnerwire/contract";
import { and, eq, gte, isNull, sql } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { Context } from "../execute/context.ts";
import { DAY_MS, toIsoOrNull, toTimes } from "./times.ts";

/** Integrations with their configuration and what they did in the hours since `sinceMs`. */
export const selectIntegrations = (
	{
		query,
		tables: { integration, integrationConfiguration, deliveryRollup },
	}: Db,
	sinceMs: number,
) => {
	const recent = query
		.select({
			integrationId: deliveryRollup.integrationId,
			delivered: sql<number>`sum(${deliveryRollup.delivered})`.as(
				"delivered_sum",
			),
			failed: sql<number>`sum(${deliveryRollup.failed})`.as("failed_sum"),
		})
		.from(deliveryRollup)
		.where(gte(deliveryRollup.hourAt, sinceMs))
		.groupBy(deliveryRollup.integrationId)
		.as("recent");
	return query
		.select({
			row: integration,
			configuration: integrationConfiguration.json,
			delivered: recent.delivered,
			failed: recent.failed,
		})
		.from(integration)
		.innerJoin(
			integrationConfiguration,
			eq(integrationConfiguration.id, integration.configurationId),
		)
		.leftJoin(recent, eq(recent.integrationId, integration.id))
		.$dynamic();
};

export type IntegrationRow = Awaited<
	ReturnType<typeof selectIntegrations>
>[number];

export const toIntegration = ({
	row,
	configuration,
	delivered,
	failed,
}: IntegrationRow): Integration => {
	const waiting = row.sequence - row.settled;
	const paused = row.status === "paused";
	return {
		id: row.uuid,
		label: row.label,
		webhook_url: row.webhookUrl,
		status: row.status,
		pause_reason: row.pauseReason,
		on_pause: row.onPause,
		ordering: row.ordering,
		event_ids: row.eventIds,
		configuration: JSON.parse(configuration),
		has_external_settings: row.externalSettings !== null,
		has_api_key: row.apiKey !== null,
		retry_schedule: row.retrySchedule,
		max_per_second: row.maxPerSecond,
		paused_at: toIsoOrNull(row.pausedAt),
		...toTimes(row),
		health: {
			delivered_24h: Number(delivered ?? 0),
			failed_24h: Number(failed ?? 0),
			held: paused ? waiting : 0,
			pending: paused ? 0 : waiting,
			last_success_at: toIsoOrNull(row.lastSuccessAt),
			last_failure_at: toIsoOrNull(row.lastFailureAt),
			last_error: row.lastError,
		},
	};
};

/** The start of the 24 hours that an integration's health speaks of. */
export const healthSince = (nowMs: number): number => nowMs - DAY_MS;

/** An integration of the caller's company, or 404. */
export async function readIntegration(
	uuid: string,
	{ db, caller, nowMs }: Context,
): Promise<IntegrationRow> {
	const { integration } = db.tables;
	const [found] = await selectIntegrations(db, healthSince(nowMs)).where(
		and(
			eq(integration.uuid, uuid),
			eq(integration.companyUuid, caller.companyUuid),
			isNull(integration.deletedAt),
		),
	);
	if (!found) throw notFound("integration");
	return found;
}
