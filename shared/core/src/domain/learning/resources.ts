import type { ResourceUpdate } from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import type { SomeHandlers } from "../../execute/handlers.ts";
import {
	whenEqual,
	whenLinked,
	whenOneOf,
	whenReferenced,
} from "../conditions.ts";
import { loadContentLinks } from "../content-links.ts";
import { createLinks } from "../create-links.ts";
import { createRecords } from "../create-records.ts";
import { categories, foldersOf, tagsOf } from "../link-kinds.ts";
import { listPage } from "../list-page.ts";
import { createReferences, type References } from "../references.ts";
import { createBlocks } from "./blocks.ts";
import { contentConditions, toContent } from "./content.ts";

const selectResources = ({ query, tables: { resource } }: Db) =>
	query.select({ row: resource }).from(resource).$dynamic();

const findResource = defineQuery("resource_by_uuid", (db) =>
	selectResources(db).where(
		and(
			eq(db.tables.resource.uuid, sql.placeholder("uuid")),
			eq(db.tables.resource.companyUuid, sql.placeholder("companyUuid")),
		),
	),
);

async function toColumns(body: ResourceUpdate, references: References) {
	await references.find("asset", "asset_uuid", body.asset_uuid);
	references.refuseInvalid();
	return {
		label: body.label,
		live: body.live,
		type: body.type,
		summary: body.summary,
		assetUuid: body.asset_uuid,
	};
}

const resources = createRecords({
	table: "resource",
	entity: "resource",
	noun: "resource",
	links: "contentLink",
	find: findResource,
	attach: loadContentLinks,
	toShown: ({ row }, { tags, categories, folders }) => ({
		...toContent(row),
		summary: row.summary,
		type: row.type,
		asset_uuid: row.assetUuid,
		tags,
		categories,
		folders,
	}),
	toColumns,
});

const blocks = createBlocks(resources, "resourceUuid");
const tagLinks = createLinks(resources, tagsOf("resource"));
const categoryLinks = createLinks(resources, categories);
const folderLinks = createLinks(resources, foldersOf("resource"));

/** Learning resources, their blocks and what is linked to them. */
export const resourceHandlers: SomeHandlers<
	| "listResources"
	| "getResource"
	| "createResource"
	| "updateResource"
	| "archiveResource"
	| "restoreResource"
	| "listResourceBlocks"
	| "createResourceBlock"
	| "updateResourceBlock"
	| "deleteResourceBlock"
	| "listResourceTags"
	| "addResourceTag"
	| "removeResourceTag"
	| "listResourceCategories"
	| "addResourceCategory"
	| "removeResourceCategory"
	| "listResourceFolders"
	| "addResourceFolder"
	| "removeResourceFolder"
> = {
	listResources: ({ query }, context) => {
		const { db } = context;
		const { resource, contentLink, tag, category } = db.tables;
		return listPage(db, query, {
			table: resource,
			query: selectResources(db),
			conditions: [
				...contentConditions(context, "resource", query),
				whenEqual(resource.type, query.type),
				whenLinked(
					db,
					resource.uuid,
					whenReferenced(db, contentLink.tagId, tag, query.tag_uuids),
				),
				whenLinked(
					db,
					resource.uuid,
					whenReferenced(
						db,
						contentLink.categoryId,
						category,
						query.category_uuids,
					),
				),
				whenLinked(
					db,
					resource.uuid,
					whenOneOf(contentLink.folderUuid, query.folder_uuids),
				),
			],
			sortable: { label: resource.label },
			toItems: (rows) => resources.showAll(rows, { db }),
		});
	},
	getResource: resources.handlers.get,
	createResource: async ({ body }, context) => {
		const columns = await toColumns(body, createReferences(context));
		return resources.create({ ...columns, live: body.live ?? false }, context);
	},
	updateResource: resources.handlers.update,
	archiveResource: resources.handlers.archive,
	restoreResource: resources.handlers.restore,

	listResourceBlocks: blocks.list,
	createResourceBlock: blocks.create,
	updateResourceBlock: blocks.update,
	deleteResourceBlock: blocks.remove,

	listResourceTags: tagLinks.list,
	addResourceTag: tagLinks.add,
	removeResourceTag: tagLinks.remove,
	listResourceCategories: categoryLinks.list,
	addResourceCategory: categoryLinks.add,
	removeResourceCategory: categoryLinks.remove,
	listResourceFolders: folderLinks.list,
	addResourceFolder: folderLinks.add,
	removeResourceFolder: folderLinks.remove,
};
