import { and, eq, gt, inArray, isNull, lte, sql } from "drizzle-orm";
import type { Caller } from "../context/caller.ts";
import type { Db } from "../db/db.ts";
import { insertRow } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import { createSecretValue, hashKeyValue } from "./api-key-value.ts";

/** How long a session of the dashboard lasts. */
const SESSION_MS = 12 * 3_600_000;

/** Somebody who signed in to the dashboard with an API key, and may do what that key may. */
export interface Session {
	readonly uuid: string;
	readonly caller: Caller & { readonly apiKeyUuid: string };
	readonly company: { readonly uuid: string; readonly name: string };
	readonly user: {
		readonly uuid: string;
		readonly email: string;
		readonly first_name: string;
		readonly last_name: string;
	};
	/** Milliseconds since the epoch. */
	readonly expiresAt: number;
}

/** A session is valid until it expires or its key is revoked. */
const isOpen = ({ session, apiKey }: Db["tables"]) =>
	and(
		gt(session.expiresAt, sql.placeholder("nowMs")),
		isNull(apiKey.revokedAt),
	);

const selectSession = defineQuery(
	"session_by_hash",
	({ query, tables }: Db) => {
		const { session, apiKey, user, company } = tables;
		return query
			.select({
				uuid: session.uuid,
				expiresAt: session.expiresAt,
				apiKeyUuid: apiKey.uuid,
				read: apiKey.read,
				write: apiKey.write,
				company: { uuid: company.uuid, name: company.name },
				user: {
					uuid: user.uuid,
					email: user.email,
					first_name: user.firstName,
					last_name: user.lastName,
				},
			})
			.from(session)
			.innerJoin(apiKey, eq(apiKey.uuid, session.apiKeyUuid))
			.innerJoin(user, eq(user.uuid, apiKey.userUuid))
			.innerJoin(company, eq(company.uuid, apiKey.companyUuid))
			.where(and(eq(session.hash, sql.placeholder("hash")), isOpen(tables)));
	},
);

/** The session of a cookie's value, or null if none is valid. It is read on each request. */
export async function findSession(
	db: Db,
	value: string,
	nowMs: number,
): Promise<Session | null> {
	const [row] = await selectSession(db, { hash: hashKeyValue(value), nowMs });
	if (!row) return null;
	const { uuid, expiresAt, company, user, apiKeyUuid, read, write } = row;
	const caller = {
		companyUuid: company.uuid,
		userUuid: user.uuid,
		label: `${user.first_name} ${user.last_name}`.trim(),
		apiKeyUuid,
		read,
		write,
	};
	return { uuid, expiresAt, company, user, caller };
}

/** Signs in the holder of an API key. Answers the cookie's value, which is not stored and cannot be read later. */
export async function openSession(
	db: Db,
	caller: Session["caller"],
	nowMs: number,
): Promise<string> {
	const { session } = db.tables;
	await db.query.delete(session).where(lte(session.expiresAt, nowMs));
	const uuid = db.random.newUuid(nowMs);
	const value = createSecretValue("pws_", db.random);
	await insertRow(db, "session", {
		uuid,
		apiKeyUuid: caller.apiKeyUuid,
		hash: hashKeyValue(value),
		createdAt: nowMs,
		expiresAt: nowMs + SESSION_MS,
	});
	await recordSession(db, uuid, "created", caller, nowMs);
	return value;
}

/** Signs out. A session that has ended already is no error. */
export async function endSession(
	db: Db,
	{ uuid, caller }: Session,
	nowMs: number,
): Promise<void> {
	const { session } = db.tables;
	const ended = await db.query
		.delete(session)
		.where(eq(session.uuid, uuid))
		.returning({ uuid: session.uuid });
	if (ended.length > 0) await recordSession(db, uuid, "deleted", caller, nowMs);
}

/** The audit entry of a sign-in or sign-out. */
const recordSession = (
	db: Db,
	uuid: string,
	action: "created" | "deleted",
	{ companyUuid, userUuid, label }: Caller,
	nowMs: number,
) =>
	insertRow(db, "audit", {
		uuid: db.random.newUuid(nowMs),
		companyUuid,
		entity: "session",
		entityUuid: uuid,
		action,
		actorUuid: userUuid,
		actor: label,
		changes: [],
		createdAt: nowMs,
	});

/** The sessions of a list that are still valid. */
export async function findOpenSessions(
	{ query, tables }: Db,
	uuids: readonly string[],
	nowMs: number,
): Promise<Set<string>> {
	const { session, apiKey } = tables;
	const open = await query
		.select({ uuid: session.uuid })
		.from(session)
		.innerJoin(apiKey, eq(apiKey.uuid, session.apiKeyUuid))
		.where(
			and(
				inArray(session.uuid, [...uuids]),
				gt(session.expiresAt, nowMs),
				isNull(apiKey.revokedAt),
			),
		);
	return new Set(open.map(({ uuid }) => uuid));
}
