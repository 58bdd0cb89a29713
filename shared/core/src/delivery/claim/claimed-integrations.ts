import { and, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import { maySend } from "../sql/may-send.ts";

const integrationsToClaimOf = defineQuery(
	"integrations_to_claim_of",
	({ query, tables: { integration }, dialect }) =>
		query
			.select({
				id: integration.id,
				uuid: integration.uuid,
				companyUuid: integration.companyUuid,
				webhookUrl: integration.webhookUrl,
				ordering: integration.ordering,
				retrySchedule: integration.retrySchedule,
				secret: integration.secret,
				nextSecret: integration.nextSecret,
				cutoverAt: integration.cutoverAt,
				standardWebhooks: integration.standardWebhooks,
				apiKey: integration.apiKey,
				externalSettings: integration.externalSettings,
				version: integration.version,
				maxPerSecond: integration.maxPerSecond,
				releaseUntil: integration.releaseUntil,
				releaseRate: integration.releaseRate,
				bucketTokens: integration.bucketTokens,
				bucketAt: integration.bucketAt,
			})
			.from(integration)
			.where(
				and(
					dialect.isAmong(integration.id, sql.placeholder("ids")),
					maySend(integration),
				),
			),
);

/** The columns that an attempt needs of its integration, secrets encrypted, and the limits of its claims. */
export type ClaimedIntegration = Awaited<
	ReturnType<typeof integrationsToClaimOf>
>[number];

/** The integrations among `ids` that may send, by key. The map is in the order of `ids`. */
export async function readClaimable(
	db: Db,
	ids: readonly number[],
): Promise<Map<number, ClaimedIntegration>> {
	const rows = await integrationsToClaimOf(db, { ids: db.dialect.toList(ids) });
	const byId = new Map(rows.map((row) => [row.id, row]));
	const claimable = new Map<number, ClaimedIntegration>();
	for (const id of ids) {
		const row = byId.get(id);
		if (row) claimable.set(id, row);
	}
	return claimable;
}
