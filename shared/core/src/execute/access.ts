import {
	ApiError,
	MODULES,
	type ModuleId,
	type Operation,
} from "@partnerwire/contract";
import { and, eq } from "drizzle-orm";
import type { Caller } from "../caller.ts";
import type { Db } from "../db/db.ts";

/** 403 unless the caller may run the operation and its company has the module (spec, Errors). */
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

/** Throws 403 `module_disabled` unless the caller's company has the module (spec, What the service does 4). */
export async function requireModule(
	module: ModuleId,
	caller: Caller,
	db: Db,
): Promise<void> {
	if (await isModuleEnabled(db, caller.companyUuid, module)) return;
	throw new ApiError(
		"module_disabled",
		`the module ${MODULES[module]} is not enabled for this account`,
	);
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
