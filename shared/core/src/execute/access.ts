import {
	ApiError,
	MODULES,
	type ModuleId,
	type Operation,
} from "@partnerwire/contract";
import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Caller } from "../context/caller.ts";
import type { Standing } from "../context/standing.ts";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";
import {
	fromLocked,
	lockedIntegrations,
} from "../delivery/sql/lock-integrations.ts";

/** Throws 403 unless the caller's key may run the operation (docs/contract.md#errors). */
export function checkPermission(operation: Operation, caller: Caller): void {
	if (caller[operation.permission]) return;
	throw new ApiError(
		"forbidden",
		`this API key has no ${operation.permission} permission`,
	);
}

/** Throws 403 unless the caller's company has the operation's module. */
export async function checkModule(
	{ module }: Operation,
	caller: Caller,
	db: Db,
): Promise<void> {
	if (module) await requireModule(module, caller, db);
}

/** Throws 403 `module_disabled` unless the caller's company has the module (docs/contract.md#what-the-service-does). */
export async function requireModule(
	module: ModuleId,
	caller: Caller,
	db: Db,
): Promise<void> {
	if (await isModuleEnabled(db, caller.companyUuid, module)) return;
	throw moduleDisabled(module);
}

const moduleDisabled = (module: ModuleId) =>
	new ApiError(
		"module_disabled",
		`the module ${MODULES[module]} is not enabled for this account`,
	);

const defineStanding = (name: string, integrations: SQL<string | null>) =>
	defineQuery(name, ({ query, tables: { company, apiKey, companyModule } }) =>
		query
			.select({
				revokedAt: apiKey.revokedAt,
				enabled: companyModule.enabled,
				fieldsVersion: company.fieldsVersion,
				defaultCountry: company.defaultCountry,
				integrations,
			})
			.from(company)
			.leftJoin(apiKey, eq(apiKey.uuid, sql.placeholder("apiKeyUuid")))
			.leftJoin(
				companyModule,
				and(
					eq(companyModule.companyUuid, company.uuid),
					eq(companyModule.module, sql.placeholder("module")),
				),
			)
			.where(eq(company.uuid, sql.placeholder("companyUuid"))),
	);
const selectStanding = defineStanding("standing", sql`null`);
const lockStanding = defineStanding("locked_standing", lockedIntegrations);

/**
 * Checks access at the start of a write's transaction, and reads and locks what the write relies on. While the body
 * arrived and the write waited, the key may have been revoked or the module switched off. Those changes are writes of
 * the same company, so this result holds until the transaction ends.
 */
export async function takeStanding(
	{ module, emits }: Operation,
	{ apiKeyUuid, companyUuid }: Caller,
	db: Db,
): Promise<Standing> {
	const isLocked = db.postgres !== null && emits.length > 0;
	const take = isLocked ? lockStanding : selectStanding;
	const [now] = await take(db, { apiKeyUuid, module, companyUuid });
	if (typeof now?.revokedAt === "number")
		throw new ApiError("unauthorized", "the API key is not valid");
	if (module && !now?.enabled) throw moduleDisabled(module);
	return {
		fieldsVersion: now?.fieldsVersion ?? null,
		defaultCountry: now?.defaultCountry ?? null,
		integrations: isLocked ? fromLocked(now?.integrations) : null,
	};
}

const enabledModule = defineQuery(
	"enabled_module",
	({ query, tables: { companyModule } }) =>
		query
			.select({ enabled: companyModule.enabled })
			.from(companyModule)
			.where(
				and(
					eq(companyModule.companyUuid, sql.placeholder("companyUuid")),
					eq(companyModule.module, sql.placeholder("module")),
				),
			),
);

export async function isModuleEnabled(
	db: Db,
	companyUuid: string,
	module: ModuleId,
): Promise<boolean> {
	const [row] = await enabledModule(db, { companyUuid, module });
	return row?.enabled ?? false;
}
