import {
	ApiError,
	type Integration,
	type IntegrationUpdate,
	invalidMembers,
	ORIGIN_SECRETS,
} from "@partnerwire/contract";
import { EVENT_IDS, parseUrl } from "@partnerwire/wire";
import { eq } from "drizzle-orm";
import type { Change } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import { insertNumbered, type NewRowOf } from "../db/insert-row.ts";
import {
	beginRework,
	MOST_IN_REQUEST,
} from "../delivery/lanes/rework-lanes.ts";
import {
	dropUnderWay,
	dropUnfinished,
} from "../delivery/retention/drop-deleted.ts";
import { lockIntegration } from "../delivery/sql/lock-integrations.ts";
import type { Handlers, Outcome } from "../execute/handlers.ts";
import { toChangedColumns } from "../resource/patch.ts";
import { requireSameKey } from "../secrets/check-key.ts";
import {
	type StoredIntegration,
	secretPurpose,
} from "../secrets/integration-secrets.ts";
import { listIntegrations } from "./integration-list.ts";
import {
	type IntegrationRow,
	readIntegration,
	toIntegration,
} from "./integration-view.ts";

/** Writes changed columns, counts the version up and returns the integration. Without changes nothing is written. */
export async function changeIntegration(
	found: IntegrationRow,
	columns: Partial<StoredIntegration>,
	context: Context,
	action = "updated",
): Promise<Outcome<Integration>> {
	const before = toIntegration(found);
	const changed = toChangedColumns(found.row, columns);
	if (!changed) return { result: before, changes: [] };
	const { integration } = context.db.tables;
	await context.db.query
		.update(integration)
		.set({
			...changed,
			version: found.row.version + 1,
			updatedAt: context.nowMs,
		})
		.where(eq(integration.id, found.row.id));
	const after = toIntegration(await readIntegration(found.row.uuid, context));
	return { result: after, changes: [toChange(action, before, after)] };
}

const toChange = (
	action: string,
	before: Integration | null,
	after: Integration | null,
): Change => ({
	entity: "integration",
	uuid: (after ?? before)?.id as string,
	action,
	before,
	after,
});

/** The columns of a body. Secrets are encrypted, and replaced even by equal ones. */
function toColumns(
	body: IntegrationUpdate,
	uuid: string,
	{ ports, cipher }: Context,
): Partial<StoredIntegration> {
	const refusal =
		body.webhook_url === undefined
			? null
			: ports.checkWebhookUrl(body.webhook_url);
	if (refusal)
		throw invalidMembers([{ field: "body/webhook_url", message: refusal }]);
	const seal = (
		name: "api_key" | "external_settings",
		plain: string | null | undefined,
	) =>
		typeof plain === "string"
			? cipher.encrypt(plain, secretPurpose(uuid, name))
			: plain;
	const settings =
		body.external_settings && JSON.stringify(body.external_settings);
	return {
		label: body.label,
		webhookUrl: body.webhook_url,
		eventIds: body.event_ids,
		onPause: body.on_pause,
		ordering: body.ordering,
		standardWebhooks: body.standard_webhooks,
		retrySchedule: body.retry_schedule,
		maxPerSecond: body.max_per_second,
		apiKey: seal("api_key", body.api_key),
		externalSettings: seal("external_settings", settings),
	};
}

const originOf = (url: string) => parseUrl(url)?.origin;

/** The secrets that a body's new URL would take to another origin. Whoever may change a URL need not know them. */
function findDroppedSecrets(
	body: IntegrationUpdate,
	{ row }: IntegrationRow,
): (typeof ORIGIN_SECRETS)[number][] {
	const { webhook_url = row.webhookUrl } = body;
	if (originOf(webhook_url) === originOf(row.webhookUrl)) return [];
	const stored = {
		api_key: row.apiKey,
		external_settings: row.externalSettings,
	};
	return ORIGIN_SECRETS.filter(
		(name) => stored[name] !== null && body[name] === undefined,
	);
}

const addConfiguration = (
	integrationId: number,
	configuration: unknown,
	{ db, nowMs }: Context,
): Promise<number> =>
	insertNumbered(db, "integrationConfiguration", {
		integrationId,
		json: JSON.stringify(configuration),
		createdAt: nowMs,
	});

/** The handlers of integrations; pausing, secrets and tests have files of their own. */
export const integrationHandlers = {
	listIntegrations: ({ query }, context) => listIntegrations(query, context),

	getIntegration: async ({ params }, context) =>
		toIntegration(await readIntegration(params.integration_id, context)),

	createIntegration: async ({ body }, context) => {
		const { db, caller, nowMs } = context;
		await requireSameKey(db, context.cipher);
		const uuid = context.newUuid();
		const secret = db.random.newSecretUuid();
		const id = await insertNumbered(db, "integration", {
			eventIds: EVENT_IDS,
			onPause: "hold",
			ordering: "record",
			...withoutUndefined(toColumns(body, uuid, context)),
			uuid,
			companyUuid: caller.companyUuid,
			status: "active",
			secret: context.cipher.encrypt(secret, secretPurpose(uuid, "secret")),
			version: 1,
			sequence: 0,
			settled: 0,
			createdAt: nowMs,
			updatedAt: nowMs,
		} as NewRowOf<"integration">);
		const configurationId = await addConfiguration(
			id,
			body.configuration ?? [],
			context,
		);
		await db.query
			.update(db.tables.integration)
			.set({ configurationId })
			.where(eq(db.tables.integration.id, id));
		const after = toIntegration(await readIntegration(uuid, context));
		return {
			result: { ...after, integration_uuid: secret },
			changes: [toChange("created", null, after)],
		};
	},

	updateIntegration: async ({ params, body }, context) => {
		if (body.api_key !== undefined || body.external_settings !== undefined)
			await requireSameKey(context.db, context.cipher);
		await lockIntegration(context.db, params.integration_id);
		const columns = toColumns(body, params.integration_id, context);
		const found = await readIntegration(params.integration_id, context);
		const dropped_secrets = findDroppedSecrets(body, found);
		if (dropped_secrets.includes("api_key")) columns.apiKey = null;
		if (dropped_secrets.includes("external_settings"))
			columns.externalSettings = null;
		const isNewConfiguration =
			body.configuration !== undefined &&
			JSON.stringify(body.configuration) !== found.configuration;
		if (isNewConfiguration)
			columns.configurationId = await addConfiguration(
				found.row.id,
				body.configuration,
				context,
			);
		// An event that is received again has an active subscription, whatever it had before.
		columns.inactiveEventIds =
			body.event_ids &&
			found.row.inactiveEventIds?.filter((id) => !body.event_ids?.includes(id));
		const { ordering } = body;
		if (ordering !== undefined && ordering !== found.row.ordering)
			columns.relanedTo = await beginRework(context.db, {
				...found.row,
				ordering,
			});
		const { result, changes } = await changeIntegration(
			found,
			columns,
			context,
		);
		return { result: { ...result, dropped_secrets }, changes };
	},

	deleteIntegration: async ({ params, query }, context) => {
		const { db, nowMs } = context;
		const { integration } = db.tables;
		await lockIntegration(db, params.integration_id);
		const found = await readIntegration(params.integration_id, context);
		const waiting = found.row.sequence - found.row.settled;
		if (waiting > 0 && !query.force) {
			throw new ApiError(
				"conflict",
				`the integration ${found.row.label} has ${waiting} pending deliveries; force=true records them as dropped`,
			);
		}
		await dropUnderWay(db, found.row.id, nowMs);
		await dropUnfinished(db, found.row.id, { most: MOST_IN_REQUEST, nowMs });
		await db.query
			.update(integration)
			.set({ deletedAt: nowMs, version: found.row.version + 1 })
			.where(eq(integration.id, found.row.id));
		return {
			result: { success: true },
			changes: [toChange("deleted", toIntegration(found), null)],
		};
	},
} satisfies Partial<Handlers>;

const withoutUndefined = <Row extends object>(row: Row): Row =>
	Object.fromEntries(
		Object.entries(row).filter(([, value]) => value !== undefined),
	) as Row;
