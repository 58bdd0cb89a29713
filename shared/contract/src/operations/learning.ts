import { Block, BlockCreate, BlockUpdate } from "../resources/block.ts";
import {
	Certification,
	CertificationCreate,
	CertificationUpdate,
	certificationFilters,
} from "../resources/content/certification.ts";
import {
	Enrollment,
	EnrollmentCreate,
	EnrollmentUpdate,
} from "../resources/content/enrollment.ts";
import {
	Resource,
	ResourceCreate,
	ResourceUpdate,
	resourceFilters,
} from "../resources/content/resource.ts";
import { crud, nestedCrud } from "../table/crud.ts";
import { links } from "../table/links.ts";
import { LabelRef } from "../table/references.ts";
import { categories, folders, tags } from "./link-specs.ts";

const onResources = {
	parent: "/v1/resources/{uuid}",
	group: "Resources",
} as const;
const onCertifications = {
	parent: "/v1/certifications/{uuid}",
	group: "Certifications",
} as const;

/** The resources that partners and their people can read. */
export const resourceOperations = {
	...crud({
		noun: "Resource",
		plural: "Resources",
		removal: "archive",
		path: "/v1/resources",
		item: Resource,
		create: ResourceCreate,
		update: ResourceUpdate,
		filters: resourceFilters,
	}),
	...nestedCrud({
		...onResources,
		noun: "ResourceBlock",
		plural: "ResourceBlocks",
		segment: "blocks",
		item: Block,
		create: BlockCreate,
		update: BlockUpdate,
	}),
	...links({
		...onResources,
		...tags,
		noun: "ResourceTag",
		plural: "ResourceTags",
	}),
	...links({
		...onResources,
		...categories,
		noun: "ResourceCategory",
		plural: "ResourceCategories",
	}),
	...links({
		...onResources,
		...folders,
		noun: "ResourceFolder",
		plural: "ResourceFolders",
	}),
};

/** Certifications, and the people who are enrolled in them. */
export const certificationOperations = {
	...crud({
		noun: "Certification",
		plural: "Certifications",
		removal: "archive",
		path: "/v1/certifications",
		item: Certification,
		create: CertificationCreate,
		update: CertificationUpdate,
		filters: certificationFilters,
	}),
	...nestedCrud({
		...onCertifications,
		noun: "CertificationEnrollment",
		plural: "CertificationEnrollments",
		segment: "enrollments",
		item: Enrollment,
		create: EnrollmentCreate,
		update: EnrollmentUpdate,
	}),
	...links({
		...onCertifications,
		...categories,
		noun: "CertificationCategory",
		plural: "CertificationCategories",
	}),
	...links({
		...onCertifications,
		...folders,
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
