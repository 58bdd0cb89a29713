import type { ResourceUpdate } from "@partnerwire/contract";
import type { Handlers } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { createLinks } from "../resource/create-links.ts";
import { categories, foldersOf, tagsOf } from "../resource/link-kinds.ts";
import type { References } from "../resource/references.ts";
import { createBlocks } from "./blocks.ts";
import { createContent, toContent } from "./create-content.ts";

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

const resources = createContent({
	table: "resource",
	toShown: (row, { tags, categories, folders }) => ({
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

/** The operations on learning resources, their blocks and their links. */
export const resourceHandlers = {
	listResources: ({ query }, context) =>
		resources.list(query, context, {
			conditions: [whenEqual(context.db.tables.resource.type, query.type)],
		}),
	getResource: resources.handlers.get,
	createResource: resources.handlers.create,
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
} satisfies Partial<Handlers>;
