import { MODULE_IDS } from "@partnerwire/contract";
import type { ColumnKit } from "../kit.sqlite.ts";

/** Companies, their modules and users, and the API keys that act for them. */
export function defineAccessTables(kit: ColumnKit) {
	const company = kit.table("company", {
		uuid: kit.uuid("uuid").primaryKey(),
		name: kit.text("name").notNull(),
		domain: kit.text("domain"),
		defaultCountry: kit.text("default_country"),
		/** Changes with each change of a custom field, an option or a rule; null until the first. */
		fieldsVersion: kit.uuid("fields_version"),
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});

	const companyModule = kit.table(
		"company_module",
		{
			id: kit.id(),
			companyUuid: kit
				.uuid("company_uuid")
				.notNull()
				.references(() => company.uuid),
			module: kit.oneOf("module", MODULE_IDS).notNull(),
			enabled: kit.bool("enabled").notNull(),
		},
		(t) => [kit.uniqueIndex("company_module_pair").on(t.companyUuid, t.module)],
	);

	const user = kit.table(
		"user_account",
		{
			uuid: kit.uuid("uuid").primaryKey(),
			companyUuid: kit
				.uuid("company_uuid")
				.notNull()
				.references(() => company.uuid),
			email: kit.text("email").notNull(),
			firstName: kit.text("first_name").notNull(),
			lastName: kit.text("last_name").notNull(),
			createdAt: kit.time("created_at").notNull(),
			updatedAt: kit.time("updated_at").notNull(),
		},
		(t) => [kit.index("user_list").on(t.companyUuid, t.createdAt)],
	);

	const apiKey = kit.table(
		"api_key",
		{
			uuid: kit.uuid("uuid").primaryKey(),
			companyUuid: kit
				.uuid("company_uuid")
				.notNull()
				.references(() => company.uuid),
			userUuid: kit
				.uuid("user_uuid")
				.notNull()
				.references(() => user.uuid),
			label: kit.text("label").notNull(),
			hint: kit.text("hint").notNull(),
			hash: kit.text("hash").notNull(),
			read: kit.bool("read").notNull(),
			write: kit.bool("write").notNull(),
			createdAt: kit.time("created_at").notNull(),
			updatedAt: kit.time("updated_at").notNull(),
			revokedAt: kit.time("revoked_at"),
		},
		(t) => [
			kit.uniqueIndex("api_key_hash").on(t.hash),
			kit.index("api_key_list").on(t.companyUuid, t.createdAt),
		],
	);

	/** A sign-in to the dashboard under an API key; it ends when the key is revoked. */
	const session = kit.table(
		"session",
		{
			uuid: kit.uuid("uuid").primaryKey(),
			apiKeyUuid: kit
				.uuid("api_key_uuid")
				.notNull()
				.references(() => apiKey.uuid),
			/** The hash of the cookie's value, which is not stored. */
			hash: kit.text("hash").notNull(),
			createdAt: kit.time("created_at").notNull(),
			expiresAt: kit.time("expires_at").notNull(),
		},
		(t) => [
			kit.uniqueIndex("session_hash").on(t.hash),
			kit.index("session_expiry").on(t.expiresAt),
		],
	);

	return { company, companyModule, user, apiKey, session };
}

export type AccessTables = ReturnType<typeof defineAccessTables>;
