import {
	ApiError,
	MODULES,
	type ModuleId,
	type Operation,
} from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Caller } from "../context/caller.ts";
import type { Db } from "../db/db.ts";
import { defineQuery } from "../db/prepared.ts";

/** Throws 403 unless the caller may run the operation and its company has the module (docs/contract.md#errors). */
export async function checkAccess(
	operation: Operation,
	caller: Caller,
	db: Db,
): Promise<void> {
	if (!caller[operation.permission]) {
		throw new ApiError(
			"forbidden",
			`this API key has no ${operation.permission} permission`,
		);
	}
	if (operation.module) await requireModule(operation.module, caller, db);
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

const selectStanding = defineQuery(
	"standing_of_caller",
	({ query, tables: { company, apiKey, companyModule } }: Db) =>
		query
			.select({
				revokedAt: apiKey.revokedAt,
				enabled: companyModule.enabled,
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

/**
 * Checks access again at the start of a write's transaction. While the body arrived and the write waited, the key may
 * have been revoked or the module switched off. Those changes are writes of the same company, so this result holds
 * until the transaction ends.
 */
export async function recheckAccess(
	{ module = null }: Operation,
	{ apiKeyUuid, companyUuid }: Caller,
	db: Db,
): Promise<void> {
	const [now] = await selectStanding(db, { apiKeyUuid, module, companyUuid });
	if (typeof now?.revokedAt === "number")
		throw new ApiError("unauthorized", "the API key is not valid");
	if (module && !now?.enabled) throw moduleDisabled(module);
}

export async function isModuleEnabled(
	db: Db,
	companyUuid: string,
	module: ModuleId,
): Promise<boolean> {
	const { companyModule } = db.tables;
	const [row] = await db.query
		.select({ enabled: companyModule.enabled })
		.from(companyModule)
		.where(
			and(
				eq(companyModule.companyUuid, companyUuid),
				eq(companyModule.module, module),
			),
		);
	return row?.enabled ?? false;
}
