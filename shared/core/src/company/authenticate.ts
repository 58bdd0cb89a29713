import { and, eq, isNull, sql } from "drizzle-orm";
import type { Caller } from "../context/caller.ts";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";
import { hashKeyValue } from "./api-key-value.ts";

const findKey = defineQuery(
	"api_key_by_hash",
	({ query, tables: { apiKey, user } }) =>
		query
			.select({
				uuid: apiKey.uuid,
				companyUuid: apiKey.companyUuid,
				userUuid: apiKey.userUuid,
				read: apiKey.read,
				write: apiKey.write,
				firstName: user.firstName,
				lastName: user.lastName,
			})
			.from(apiKey)
			.innerJoin(user, eq(user.uuid, apiKey.userUuid))
			.where(
				and(eq(apiKey.hash, sql.placeholder("hash")), isNull(apiKey.revokedAt)),
			),
);

/** The caller of an API key's value, or null if no active key has it. Read on each call, so revoking works at once. */
export async function authenticate(
	db: Db,
	keyValue: string,
): Promise<Caller | null> {
	const [key] = await findKey(db, { hash: hashKeyValue(keyValue) });
	if (!key) return null;
	return {
		companyUuid: key.companyUuid,
		userUuid: key.userUuid,
		label: `${key.firstName} ${key.lastName}`.trim(),
		apiKeyUuid: key.uuid,
		read: key.read,
		write: key.write,
	};
}
