import { ApiError } from "@partnerwire/contract";
import type { Db } from "../db/db.ts";
import { addApiKey, addCompany, addUser } from "./provision.ts";
import { claimEmpty } from "./seed.ts";
import type { Session } from "./sessions.ts";

/** The company and user that an empty database begins with. */
export interface SetUp {
	readonly companyName: string;
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
}

/**
 * Creates the first company, its first user and a key with all permissions. Nobody knows the key's value: it exists so
 * that revoking it ends the session that begins with it. Throws a 409 if the database is no longer empty.
 */
export async function setUp(
	db: Db,
	{ companyName, ...user }: SetUp,
	nowMs: number,
): Promise<Session["caller"]> {
	if (!(await claimEmpty(db)))
		throw new ApiError(
			"conflict",
			"the database holds a company already: sign in with an API key",
		);
	const companyUuid = await addCompany(db, { name: companyName }, nowMs);
	const userUuid = await addUser(db, { companyUuid, ...user }, nowMs);
	const permissions = { read: true, write: true };
	const key = await addApiKey(
		db,
		{ companyUuid, userUuid, label: "Set-up link", ...permissions },
		nowMs,
	);
	return {
		companyUuid,
		userUuid,
		label: `${user.firstName} ${user.lastName}`.trim(),
		apiKeyUuid: key.uuid,
		...permissions,
	};
}
