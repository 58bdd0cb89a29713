import { and, eq, exists, isNull, sql } from "drizzle-orm";
import { defineQuery } from "../db/prepared.ts";

/** The active integrations that have a lane head due. */
export const findDueIntegrations = defineQuery(
	"due_integrations",
	({ query, tables: { integration, delivery } }) => {
		// Spelled as in the partial index, without which SQLite does not use it.
		const dueHead = query
			.select({ one: sql`1` })
			.from(delivery)
			.where(
				and(
					eq(delivery.integrationId, integration.id),
					sql`${delivery.ready} and ${delivery.state} = 'pending'`,
					sql`${delivery.dueAt} <= ${sql.placeholder("nowMs")}`,
				),
			);
		return query
			.select()
			.from(integration)
			.where(
				and(
					eq(integration.status, "active"),
					isNull(integration.deletedAt),
					exists(dueHead),
				),
			);
	},
);
