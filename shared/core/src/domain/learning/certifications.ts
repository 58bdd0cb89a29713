import type { CertificationUpdate } from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import type { SomeHandlers } from "../../execute/handlers.ts";
import { whenLinked, whenOneOf, whenReferenced } from "../conditions.ts";
import { loadContentLinks } from "../content-links.ts";
import { createLinks } from "../create-links.ts";
import { createRecords } from "../create-records.ts";
import { categories, foldersOf, resourcesOf } from "../link-kinds.ts";
import { listPage } from "../list-page.ts";
import { createReferences, type References } from "../references.ts";
import { contentConditions, toContent } from "./content.ts";

const selectCertifications = ({ query, tables: { certification } }: Db) =>
	query.select({ row: certification }).from(certification).$dynamic();

const findCertification = defineQuery("certification_by_uuid", (db) => {
	const { uuid, companyUuid } = db.tables.certification;
	return selectCertifications(db).where(
		and(
			eq(uuid, sql.placeholder("uuid")),
			eq(companyUuid, sql.placeholder("companyUuid")),
		),
	);
});

async function toColumns(body: CertificationUpdate, references: References) {
	await references.find("asset", "asset_uuid", body.asset_uuid);
	references.refuseInvalid();
	return {
		label: body.label,
		live: body.live,
		summary: body.summary,
		assessmentPassScore: body.assessment_pass_score,
		assetUuid: body.asset_uuid,
	};
}

export const certifications = createRecords({
	table: "certification",
	entity: "certification",
	noun: "certification",
	links: "contentLink",
	find: findCertification,
	attach: loadContentLinks,
	toShown: ({ row }, { categories, folders, resources }) => ({
		...toContent(row),
		summary: row.summary,
		assessment_pass_score: row.assessmentPassScore,
		asset_uuid: row.assetUuid,
		categories,
		folders,
		resources,
	}),
	toColumns,
});

const categoryLinks = createLinks(certifications, categories);
const folderLinks = createLinks(certifications, foldersOf("certification"));
const resourceLinks = createLinks(certifications, resourcesOf);

/** Certifications and what is linked to them. */
export const certificationHandlers: SomeHandlers<
	| "listCertifications"
	| "getCertification"
	| "createCertification"
	| "updateCertification"
	| "archiveCertification"
	| "restoreCertification"
	| "listCertificationCategories"
	| "addCertificationCategory"
	| "removeCertificationCategory"
	| "listCertificationFolders"
	| "addCertificationFolder"
	| "removeCertificationFolder"
	| "listCertificationResources"
	| "addCertificationResource"
	| "removeCertificationResource"
> = {
	listCertifications: ({ query }, context) => {
		const { db } = context;
		const { certification, contentLink, category } = db.tables;
		return listPage(db, query, {
			table: certification,
			query: selectCertifications(db),
			conditions: [
				...contentConditions(context, "certification", query),
				whenLinked(
					db,
					certification.uuid,
					whenReferenced(
						db,
						contentLink.categoryId,
						category,
						query.category_uuids,
					),
				),
				whenLinked(
					db,
					certification.uuid,
					whenOneOf(contentLink.folderUuid, query.folder_uuids),
				),
			],
			sortable: { label: certification.label },
			toItems: (rows) => certifications.showAll(rows, { db }),
		});
	},
	getCertification: certifications.handlers.get,
	createCertification: async ({ body }, context) => {
		const columns = await toColumns(body, createReferences(context));
		const live = body.live ?? false;
		return certifications.create({ ...columns, live }, context);
	},
	updateCertification: certifications.handlers.update,
	archiveCertification: certifications.handlers.archive,
	restoreCertification: certifications.handlers.restore,

	listCertificationCategories: categoryLinks.list,
	addCertificationCategory: categoryLinks.add,
	removeCertificationCategory: categoryLinks.remove,
	listCertificationFolders: folderLinks.list,
	addCertificationFolder: folderLinks.add,
	removeCertificationFolder: folderLinks.remove,
	listCertificationResources: resourceLinks.list,
	addCertificationResource: resourceLinks.add,
	removeCertificationResource: resourceLinks.remove,
};
