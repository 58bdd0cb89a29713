import type { LabelRef } from "@partnerwire/contract";
import { and, eq, inArray, isNull } from "drizzle-orm";
import type { Db } from "../db/db.ts";
import type { LoadAttached } from "./record-links.ts";
import { toLabelRef } from "./to-ref.ts";

const LISTS = [
	"tags",
	"categories",
	"stages",
	"tiers",
	"folders",
	"resources",
] as const;

/** The links of a resource, a certification or a room, without partnerships, of which there can be many. */
export type ContentLinks = Readonly<Record<(typeof LISTS)[number], LabelRef[]>>;

const selectLinks = ({ query, tables }: Db) => {
	const { contentLink, tag, category, stage, tier, folder, resource } = tables;
	return query
		.select({
			recordUuid: contentLink.recordUuid,
			tags: toLabelRef(tag),
			categories: toLabelRef(category),
			stages: toLabelRef(stage),
			tiers: toLabelRef(tier),
			folders: toLabelRef(folder),
			resources: toLabelRef(resource),
		})
		.from(contentLink)
		.leftJoin(tag, eq(tag.id, contentLink.tagId))
		.leftJoin(category, eq(category.id, contentLink.categoryId))
		.leftJoin(stage, eq(stage.id, contentLink.stageId))
		.leftJoin(tier, eq(tier.id, contentLink.tierId))
		.leftJoin(folder, eq(folder.uuid, contentLink.folderUuid))
		.leftJoin(resource, eq(resource.uuid, contentLink.resourceUuid))
		.orderBy(contentLink.id);
};

const noLinks = (): ContentLinks => ({
	tags: [],
	categories: [],
	stages: [],
	tiers: [],
	folders: [],
	resources: [],
});

/** Loads the links of records in one query for all of them. */
export const loadContentLinks: LoadAttached<ContentLinks> = async (
	db,
	uuids,
) => {
	const found = new Map<string, ContentLinks>();
	const { recordUuid, partnershipUuid } = db.tables.contentLink;
	const rows =
		uuids.length === 0
			? []
			: await selectLinks(db).where(
					and(inArray(recordUuid, [...uuids]), isNull(partnershipUuid)),
				);
	for (const row of rows) {
		const links = found.get(row.recordUuid) ?? noLinks();
		found.set(row.recordUuid, links);
		for (const list of LISTS) {
			const linked = row[list];
			if (linked) links[list].push(linked);
		}
	}
	return (uuid) => found.get(uuid) ?? noLinks();
};
