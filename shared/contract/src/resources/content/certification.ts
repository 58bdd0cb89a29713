import * as z from "zod";
import { crud } from "../../table/crud.ts";
import { categoryLinks, folderLinks, links } from "../../table/links.ts";
import { querySet } from "../../table/list-query.ts";
import { LabelRef } from "../../table/references.ts";
import { Uuid } from "../../table/uuid.ts";
import {
	contentFilters,
	shownContent,
	summary,
	writtenContent,
} from "./content.ts";
import { percentage } from "./enrollment.ts";

/* Certifications with their categories, folders and resources. The people who are enrolled in them are in enrollment.ts. */

/** A certification that learners can get. Without a pass score it has no assessment. */
export const Certification = z.object({
	...shownContent,
	summary: z.string().nullable(),
	assessment_pass_score: z.number().nullable(),
	asset_uuid: z.string().nullable(),
	categories: z.array(LabelRef),
	folders: z.array(LabelRef),
	resources: z.array(LabelRef),
});
export type Certification = z.infer<typeof Certification>;

const writable = {
	...writtenContent,
	summary: summary(),
	assessment_pass_score: percentage().nullable(),
	asset_uuid: Uuid.nullable(),
};

export const CertificationCreate = z
	.object(writable)
	.partial()
	.extend({ label: writable.label });
export type CertificationCreate = z.infer<typeof CertificationCreate>;

export const CertificationUpdate = z.object(writable).partial();
export type CertificationUpdate = z.infer<typeof CertificationUpdate>;

const certificationFilters = {
	...contentFilters,
	category_uuids: querySet(Uuid).optional(),
	folder_uuids: querySet(Uuid).optional(),
};

const onCertifications = {
	parent: "/v1/certifications/{uuid}",
	group: "Certifications",
} as const;

export const certificationOperations = crud({
	noun: "Certification",
	plural: "Certifications",
	removal: "archive",
	path: "/v1/certifications",
	item: Certification,
	create: CertificationCreate,
	update: CertificationUpdate,
	filters: certificationFilters,
});

export const certificationLinkOperations = {
	...links({
		...onCertifications,
		...categoryLinks,
		noun: "CertificationCategory",
		plural: "CertificationCategories",
	}),
	...links({
		...onCertifications,
		...folderLinks,
		noun: "CertificationFolder",
		plural: "CertificationFolders",
	}),
	...links({
		...onCertifications,
		segment: "resources",
		what: "resource",
		member: "resource_uuid",
		item: LabelRef,
		noun: "CertificationResource",
		plural: "CertificationResources",
	}),
};
