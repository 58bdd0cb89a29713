import { ApiError, type ApiKey, notFound } from "@partnerwire/contract";
import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import { insertRow } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { listPage } from "../resource/list-page.ts";
import { createReferences } from "../resource/references.ts";
import { toTimes } from "../values/times.ts";
import { createKeyValue } from "./api-key-value.ts";

const selectApiKeys = ({ query, tables: { apiKey, user } }: Db) =>
	query
		.select({
			row: apiKey,
			user: {
				uuid: user.uuid,
				first_name: user.firstName,
				last_name: user.lastName,
				email: user.email,
			},
		})
		.from(apiKey)
		.innerJoin(user, eq(user.uuid, apiKey.userUuid))
		.$dynamic();

type ApiKeyRow = Awaited<ReturnType<typeof selectApiKeys>>[number];

const toApiKey = ({ row, user }: ApiKeyRow): ApiKey => ({
	uuid: row.uuid,
	label: row.label,
	hint: row.hint,
	read: row.read,
	write: row.write,
	user,
	...toTimes(row),
});

/** The operations on API keys. A key's value is shown once, and only its hash is stored (docs/decisions.md#api-key). */
export const apiKeyHandlers = {
	listApiKeys: ({ query }, { db, caller }) =>
		listPage(db, query, {
			table: db.tables.apiKey,
			query: selectApiKeys(db),
			conditions: [
				eq(db.tables.apiKey.companyUuid, caller.companyUuid),
				isNull(db.tables.apiKey.revokedAt),
			],
			toItems: (rows) => rows.map(toApiKey),
		}),

	createApiKey: async ({ body }, context) => {
		const { db, caller, nowMs } = context;
		const references = createReferences(context);
		const user = await references.find(
			"user",
			"user_uuid",
			body.user_uuid ?? caller.userUuid,
		);
		references.refuseInvalid();
		if ((body.read && !caller.read) || (body.write && !caller.write)) {
			throw new ApiError(
				"forbidden",
				"a key cannot create one with more permission than its own",
			);
		}
		const uuid = context.newUuid();
		const { value, hash, hint } = createKeyValue(db.random);
		const { label, read, write } = body;
		const columns = {
			uuid,
			label,
			hint,
			read,
			write,
			createdAt: nowMs,
			updatedAt: nowMs,
		};
		await insertRow(db, "apiKey", {
			...columns,
			companyUuid: caller.companyUuid,
			userUuid: user.uuid,
			hash,
		});
		const [created] = await selectApiKeys(db).where(
			eq(db.tables.apiKey.uuid, uuid),
		);
		const shown = toApiKey(created as ApiKeyRow);
		return {
			result: { ...shown, key: value },
			changes: [
				{
					entity: "api_key",
					uuid,
					action: "created",
					before: null,
					after: shown,
				},
			],
		};
	},

	revokeApiKey: async ({ params }, { db, caller, nowMs }) => {
		const { apiKey } = db.tables;
		const activeKey = and(
			eq(apiKey.uuid, params.uuid),
			eq(apiKey.companyUuid, caller.companyUuid),
			isNull(apiKey.revokedAt),
		);
		const [found] = await selectApiKeys(db).where(activeKey);
		if (!found) throw notFound("API key");
		await db.query
			.update(apiKey)
			.set({ revokedAt: nowMs, updatedAt: nowMs })
			.where(eq(apiKey.uuid, params.uuid));
		return {
			result: { success: true },
			changes: [
				{
					entity: "api_key",
					uuid: params.uuid,
					action: "deleted",
					before: toApiKey(found),
					after: null,
				},
			],
		};
	},
} satisfies Partial<Handlers>;
