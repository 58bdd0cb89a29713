import type { CertificationUpdate } from "@partnerwire/contract";
import type { Handlers } from "../execute/handlers.ts";
import { createLinks } from "../resource/create-links.ts";
import { categories, foldersOf, resourcesOf } from "../resource/link-kinds.ts";
import type { References } from "../resource/references.ts";
import { createContent, toContent } from "./create-content.ts";

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

export const certifications = createContent({
	table: "certification",
	toShown: (row, { categories, folders, resources }) => ({
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

/** The operations on certifications and their links. */
export const certificationHandlers = {
	listCertifications: ({ query }, context) =>
		certifications.list(query, context),
	getCertification: certifications.handlers.get,
	createCertification: certifications.handlers.create,
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
} satisfies Partial<Handlers>;
