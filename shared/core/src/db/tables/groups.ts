import type { AnySQLiteColumn } from "drizzle-orm/sqlite-core";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";

/** Assets and folders, to which records of many kinds refer. Columns are named after the members in the contract. */
export function defineGroupTables(kit: ColumnKit, { company }: AccessTables) {
	const plain = () => ({
		uuid: kit.uuid("uuid").primaryKey(),
		companyUuid: kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid),
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});

	const asset = kit.table(
		"asset",
		{
			...plain(),
			url: kit.text("url").notNull(),
			category: kit.text("category").notNull(),
			fileName: kit.text("file_name"),
			mimeType: kit.text("mime_type"),
		},
		(t) => [kit.index("asset_list").on(t.companyUuid, t.createdAt)],
	);

	const folder = kit.table(
		"folder",
		{
			...plain(),
			label: kit.text("label").notNull(),
			type: kit.text("type").notNull(),
			parentUuid: kit
				.uuid("parent_uuid")
				.references((): AnySQLiteColumn => folder.uuid),
		},
		(t) => [
			kit.index("folder_list").on(t.companyUuid, t.createdAt),
			kit.index("folder_parent").on(t.parentUuid),
		],
	);

	return { asset, folder };
}

export type GroupTables = ReturnType<typeof defineGroupTables>;
