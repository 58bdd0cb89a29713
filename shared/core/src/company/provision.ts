import type { ModuleId } from "@partnerwire/contract";
import { MODULE_IDS } from "@partnerwire/contract";
import type { Db } from "../db/db.ts";
import { insertRow } from "../db/insert-row.ts";
import { createKeyValue } from "./api-key-value.ts";

/*
 * Creates the rows that must exist before the first API call: a company, its users and keys. The command line and the
 * seed call these functions inside a write. All later changes go through `execute()`.
 */

export async function addCompany(
	db: Db,
	company: { name: string; domain?: string | null; country?: string | null },
	nowMs: number,
): Promise<string> {
	const uuid = db.random.newUuid(nowMs);
	await insertRow(db, "company", {
		uuid,
		name: company.name,
		domain: company.domain ?? null,
		defaultCountry: company.country ?? null,
		createdAt: nowMs,
		updatedAt: nowMs,
	});
	for (const module of MODULE_IDS) {
		await insertRow(db, "companyModule", {
			companyUuid: uuid,
			module,
			enabled: false,
		});
	}
	return uuid;
}

export async function addUser(
	db: Db,
	user: {
		companyUuid: string;
		email: string;
		firstName: string;
		lastName: string;
	},
	nowMs: number,
): Promise<string> {
	const uuid = db.random.newUuid(nowMs);
	await insertRow(db, "user", {
		uuid,
		...user,
		createdAt: nowMs,
		updatedAt: nowMs,
	});
	return uuid;
}

/** Adds a key. Answers its value, which is not stored and cannot be read later. */
export async function addApiKey(
	db: Db,
	key: {
		companyUuid: string;
		userUuid: string;
		label: string;
		read: boolean;
		write: boolean;
	},
	nowMs: number,
): Promise<{ uuid: string; value: string }> {
	const uuid = db.random.newUuid(nowMs);
	const { value, hash, hint } = createKeyValue(db.random);
	await insertRow(db, "apiKey", {
		uuid,
		...key,
		hash,
		hint,
		createdAt: nowMs,
		updatedAt: nowMs,
	});
	return { uuid, value };
}

/** Switches a module of a company on or off. */
export async function setModule(
	{ query, tables: { companyModule } }: Db,
	companyUuid: string,
	module: ModuleId,
	enabled: boolean,
): Promise<void> {
	await query
		.insert(companyModule)
		.values({ companyUuid, module, enabled })
		.onConflictDoUpdate({
			target: [companyModule.companyUuid, companyModule.module],
			set: { enabled },
		});
}
