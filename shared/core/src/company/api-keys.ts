import { ApiError, type ApiKey } from "@partnerwire/contract";
import { eq, isNull } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createReferences } from "../resource/references.ts";
import { createResource } from "../resource/resource.ts";
import { toUserRef } from "../resource/to-ref.ts";
import { toTimes } from "../values/times.ts";
import { createKeyValue } from "./api-key-value.ts";

const selectApiKeys = ({ query, tables: { apiKey, user } }: Db) =>
	query
		.select({ row: apiKey, user: toUserRef(user) })
		.from(apiKey)
		.innerJoin(user, eq(user.uuid, apiKey.userUuid))
		.$dynamic();

interface ApiKeyRow {
	row: RowOf<"apiKey">;
	user: ApiKey["user"];
}

const toApiKey = ({ row, user }: ApiKeyRow): ApiKey => ({
	uuid: row.uuid,
	label: row.label,
	hint: row.hint,
	read: row.read,
	write: row.write,
	user,
	...toTimes(row),
});

/** The API keys that are not revoked. */
const apiKeys = createResource<ApiKeyRow, ApiKey>({
	table: "apiKey",
	entity: "api_key",
	noun: "API key",
	select: selectApiKeys,
	isOfKind: ({ tables }) => isNull(tables.apiKey.revokedAt),
	showAll: (viewed) => viewed.map(toApiKey),
});

/** The operations on API keys. A key's value is shown once, and only its hash is stored (docs/decisions.md#api-key). */
export const apiKeyHandlers = {
	listApiKeys: ({ query }, context) => apiKeys.list(query, context, {}),

	createApiKey: async ({ body }, context) => {
		const { db, caller } = context;
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
		const { value, hash, hint } = createKeyValue(db.random);
		const { label, read, write } = body;
		const columns = { label, hint, read, write, userUuid: user.uuid, hash };
		const { result, changes } = await apiKeys.create(columns, context);
		return { result: { ...result, key: value }, changes };
	},

	revokeApiKey: async ({ params: { uuid } }, context) => {
		const viewed = await apiKeys.read(uuid, context);
		await apiKeys.update(uuid, { revokedAt: context.nowMs }, context);
		const before = { viewed, shown: toApiKey(viewed) };
		const change = await apiKeys.toChange("deleted", before, null, context);
		return { result: { success: true }, changes: [change] };
	},
} satisfies Partial<Handlers>;
