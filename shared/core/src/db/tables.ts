import type { ColumnKit } from "./kit.sqlite.ts";
import { defineAccessTables } from "./tables/access.ts";
import { defineCommissionTables } from "./tables/commissions.ts";
import { defineConfigurationTables } from "./tables/configuration.ts";
import { defineCustomFieldTables } from "./tables/custom-fields.ts";
import { defineEngagementTables } from "./tables/engagement.ts";
import { defineGroupTables } from "./tables/groups.ts";
import { defineLearningTables } from "./tables/learning.ts";
import { defineLinkTables } from "./tables/links.ts";
import { definePricingTables } from "./tables/pricing.ts";
import { defineRecordTables } from "./tables/records.ts";
import { defineSalesTables } from "./tables/sales.ts";
import { defineSystemTables } from "./tables/system.ts";
import { defineTaskTables } from "./tables/tasks.ts";
import { defineUpkeepTables } from "./tables/upkeep.ts";
import { defineWebhookTables } from "./tables/webhooks.ts";

/** Defines every table, once for both engines. */
export function defineTables(kit: ColumnKit) {
	const access = defineAccessTables(kit);
	const configuration = defineConfigurationTables(kit, access);
	const webhooks = defineWebhookTables(kit, access);
	const records = defineRecordTables(kit, { ...access, ...configuration });
	const groups = defineGroupTables(kit, access);
	const sales = defineSalesTables(kit, {
		...access,
		...configuration,
		...records,
	});
	return {
		...access,
		...configuration,
		...records,
		...defineLinkTables(kit, { ...access, ...configuration, ...records }),
		...defineCustomFieldTables(kit, access),
		...groups,
		...defineLearningTables(kit, {
			...access,
			...configuration,
			...records,
			...groups,
		}),
		...defineEngagementTables(kit, { ...access, ...groups, ...records }),
		...sales,
		...definePricingTables(kit, { ...access, ...configuration, ...sales }),
		...defineCommissionTables(kit, { ...access, ...records }),
		...defineTaskTables(kit, { ...access, ...records }),
		...webhooks,
		...defineUpkeepTables(kit, access, webhooks),
		...defineSystemTables(kit, access),
	};
}

export type Tables = ReturnType<typeof defineTables>;
