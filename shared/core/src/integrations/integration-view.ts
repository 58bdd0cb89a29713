import { type Integration, notFound } from "@partnerwire/contract";
import { and, eq, isNull } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import { type Hour, readHours } from "../delivery/record/rollup.ts";
import { toIso, toIsoOrNull, toTimes } from "../values/times.ts";
import { countGivenUp } from "./count-given-up.ts";

/** Selects integrations with their configuration. */
export const selectIntegrations = ({
	query,
	tables: { integration, integrationConfiguration },
}: Db) =>
	query
		.select({
			row: integration,
			configuration: integrationConfiguration.json,
		})
		.from(integration)
		.innerJoin(
			integrationConfiguration,
			eq(integrationConfiguration.id, integration.configurationId),
		)
		.$dynamic();

type Selected = Awaited<ReturnType<typeof selectIntegrations>>[number];

/** An integration at a given time, with the attempts of its last hours. */
export interface IntegrationRow extends Selected {
	readonly hours: readonly Hour[];
	readonly givenUp: number;
	readonly nowMs: number;
}

/** Adds the attempts of the last hours and the number given up, for all integrations at once. */
export async function withHealth(
	selected: readonly Selected[],
	{ db, nowMs }: Pick<Context, "db" | "nowMs">,
): Promise<IntegrationRow[]> {
	const ids = selected.map(({ row }) => row.id);
	const hoursOf = await readHours(db, ids, nowMs);
	const givenUpOf = await countGivenUp(db, ids);
	return selected.map((found) => ({
		...found,
		hours: hoursOf(found.row.id),
		givenUp: givenUpOf(found.row.id),
		nowMs,
	}));
}

const sum = (numbers: readonly number[]) =>
	numbers.reduce((total, number) => total + number, 0);

/** Maps an integration to the resource that the API returns. */
export const toIntegration = ({
	row,
	configuration,
	hours,
	givenUp,
	nowMs,
}: IntegrationRow): Integration => {
	const waiting = row.sequence - row.settled;
	const paused = row.status === "paused";
	const isRotating = row.cutoverAt !== null && row.cutoverAt > nowMs;
	return {
		id: row.uuid,
		label: row.label,
		webhook_url: row.webhookUrl,
		status: row.status,
		pause_reason: row.pauseReason,
		on_pause: row.onPause,
		ordering: row.ordering,
		standard_webhooks: row.standardWebhooks,
		event_ids: row.eventIds,
		configuration: JSON.parse(configuration),
		has_external_settings: row.externalSettings !== null,
		has_api_key: row.apiKey !== null,
		retry_schedule: row.retrySchedule,
		max_per_second: row.maxPerSecond,
		paused_at: toIsoOrNull(row.pausedAt),
		secret_cutover_at: isRotating ? toIsoOrNull(row.cutoverAt) : null,
		...toTimes(row),
		health: {
			delivered_24h: sum(hours.map(({ delivered }) => delivered)),
			failed_24h: sum(hours.map(({ failed }) => failed)),
			held: paused ? waiting : 0,
			pending: paused ? 0 : waiting,
			given_up: givenUp,
			last_success_at: toIsoOrNull(row.lastSuccessAt),
			last_failure_at: toIsoOrNull(row.lastFailureAt),
			last_error: row.lastError,
			hours: hours.map(({ hourAt, delivered, failed }) => ({
				hour: toIso(hourAt),
				delivered,
				failed,
			})),
		},
	};
};

/** Reads an integration of the caller's company, or throws 404. */
export async function readIntegration(
	uuid: string,
	{ db, caller, nowMs }: Context,
): Promise<IntegrationRow> {
	const { integration } = db.tables;
	const selected = await selectIntegrations(db).where(
		and(
			eq(integration.uuid, uuid),
			eq(integration.companyUuid, caller.companyUuid),
			isNull(integration.deletedAt),
		),
	);
	const [found] = await withHealth(selected, { db, nowMs });
	if (!found) throw notFound("integration");
	return found;
}
