import type { InputOf, ResponseOf } from "@partnerwire/contract";
import { eq, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import { whenContains, whenEqual } from "../resource/conditions.ts";
import { listPage } from "../resource/list-page.ts";
import {
	selectIntegrations,
	toIntegration,
	withHealth,
} from "./integration-view.ts";

type Query = InputOf<"listIntegrations">["query"];

/** Reads one page of the company's integrations, newest first. Their health comes from rollups. */
export function listIntegrations(
	query: Query,
	context: Context,
): Promise<ResponseOf<"listIntegrations">> {
	const { db, caller } = context;
	const { integration } = db.tables;
	const { label, webhookUrl, failingSince, pauseReason } = integration;
	return listPage(db, query, {
		table: integration,
		query: selectIntegrations(db),
		conditions: [
			eq(integration.companyUuid, caller.companyUuid),
			// Spelled as in the partial indexes, without which SQLite does not use them.
			sql`${integration.deletedAt} is null`,
			whenEqual(integration.status, query.status),
			whenContains(db, [label, webhookUrl], query.search),
			query.attention
				? sql`(${failingSince} is not null or ${pauseReason} in ('gone', 'failing'))`
				: undefined,
		],
		toItems: async (rows) =>
			(await withHealth(rows, context)).map(toIntegration),
	});
}
