import {
	BlockType,
	EnrollmentStatus,
	PartnerType,
	ResourceType,
	RoomVisibility,
} from "@partnerwire/contract";
import { sql } from "drizzle-orm";
import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";
import type { ConfigurationTables } from "./configuration.ts";
import type { GroupTables } from "./groups.ts";
import type { RecordTables } from "./records.ts";

/** Learning and the partner portal: resources, certifications, enrolments, rooms, and their links. */
export function defineLearningTables(
	kit: ColumnKit,
	{
		company,
		user,
		stage,
		tier,
		category,
		tag,
		partner,
		asset,
		folder,
	}: AccessTables & ConfigurationTables & RecordTables & GroupTables,
) {
	const record = () => ({
		uuid: kit.uuid("uuid").primaryKey(),
		companyUuid: kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid),
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});
	const content = () => ({
		...record(),
		archivedAt: kit.time("archived_at"),
		label: kit.text("label").notNull(),
		live: kit.bool("live").notNull(),
	});
	const assetUuid = () => kit.uuid("asset_uuid").references(() => asset.uuid);
	const partnershipUuid = () =>
		kit.uuid("partnership_uuid").references(() => partner.uuid);

	const resource = kit.table(
		"resource",
		{
			...content(),
			type: kit.oneOf("type", ResourceType.options as [ResourceType]).notNull(),
			summary: kit.text("summary"),
			assetUuid: assetUuid(),
		},
		(t) => [
			kit.index("resource_list").on(t.companyUuid, t.createdAt),
			kit.index("resource_asset").on(t.assetUuid),
		],
	);

	const certification = kit.table(
		"certification",
		{
			...content(),
			summary: kit.text("summary"),
			assessmentPassScore: kit.number("assessment_pass_score"),
			assetUuid: assetUuid(),
		},
		(t) => [
			kit.index("certification_list").on(t.companyUuid, t.createdAt),
			kit.index("certification_asset").on(t.assetUuid),
		],
	);

	const enrollment = kit.table(
		"enrollment",
		{
			...record(),
			certificationUuid: kit
				.uuid("certification_uuid")
				.notNull()
				.references(() => certification.uuid),
			userUuid: kit
				.uuid("user_uuid")
				.notNull()
				.references(() => user.uuid),
			partnershipUuid: partnershipUuid(),
			status: kit
				.oneOf("status", EnrollmentStatus.options as [EnrollmentStatus])
				.notNull(),
			/** When the status changed: reports go by it. */
			statusAt: kit.time("status_at").notNull(),
			progressPercentage: kit.number("progress_percentage").notNull(),
			/** The scores of the current attempt and of all attempts. */
			assessmentScore: kit.number("assessment_score"),
			assessmentBestScore: kit.number("assessment_best_score"),
			assessmentPassed: kit.bool("assessment_passed"),
			startedAt: kit.time("started_at"),
			completedAt: kit.time("completed_at"),
		},
		(t) => [
			kit.uniqueIndex("enrollment_learner").on(t.certificationUuid, t.userUuid),
			kit.index("enrollment_user").on(t.userUuid),
			kit
				.index("enrollment_status")
				.on(t.companyUuid, t.status, t.statusAt, t.uuid),
			kit
				.index("enrollment_partnership")
				.on(t.partnershipUuid, t.status, t.statusAt),
		],
	);

	const room = kit.table(
		"room",
		{
			...content(),
			roomType: kit.text("room_type"),
			partnerType: kit.oneOf(
				"partner_type",
				PartnerType.options as [PartnerType],
			),
			visibility: kit
				.oneOf("visibility", RoomVisibility.options as [RoomVisibility])
				.notNull(),
			series: kit.int("series").notNull(),
		},
		(t) => [
			kit.index("room_list").on(t.companyUuid, t.createdAt),
			kit.index("room_series").on(t.companyUuid, t.series),
		],
	);
	const roomUuid = () => kit.uuid("room_uuid").references(() => room.uuid);
	const resourceUuid = () =>
		kit.uuid("resource_uuid").references(() => resource.uuid);

	/** A block of a resource or of a room: one of the two is set. */
	const block = kit.table(
		"block",
		{
			...record(),
			resourceUuid: resourceUuid(),
			roomUuid: roomUuid(),
			type: kit.oneOf("type", BlockType.options as [BlockType]).notNull(),
			series: kit.int("series").notNull(),
			title: kit.text("title"),
			content: kit.text("content"),
			assetUuid: assetUuid(),
		},
		(t) => [
			kit.index("block_resource").on(t.resourceUuid, t.series),
			kit.index("block_room").on(t.roomUuid, t.series),
			kit.index("block_asset").on(t.assetUuid),
		],
	);

	const secureFile = kit.table(
		"secure_file",
		{
			...record(),
			roomUuid: roomUuid().notNull(),
			assetUuid: assetUuid().notNull(),
			label: kit.text("label"),
		},
		(t) => [
			kit.index("secure_file_room").on(t.roomUuid, t.createdAt),
			kit.index("secure_file_asset").on(t.assetUuid),
		],
	);

	/**
	 * Links of resources, certifications and rooms, and the partners of campaigns and cards. Each row sets one of the
	 * columns. Separate from `record_link`, whose query runs at each read of a lead. `record_uuid` has no foreign key,
	 * because it belongs to a record of any of these kinds. Only cards are ever removed, and their links with them.
	 */
	const contentLink = kit.table(
		"content_link",
		{
			id: kit.id(),
			recordUuid: kit.uuid("record_uuid").notNull(),
			tagId: kit.int("tag_id").references(() => tag.id),
			categoryId: kit.int("category_id").references(() => category.id),
			stageId: kit.int("stage_id").references(() => stage.id),
			tierId: kit.int("tier_id").references(() => tier.id),
			folderUuid: kit.uuid("folder_uuid").references(() => folder.uuid),
			resourceUuid: resourceUuid(),
			partnershipUuid: partnershipUuid(),
			createdAt: kit.time("created_at").notNull(),
		},
		(t) => [
			kit
				.index("content_link_record")
				.on(t.recordUuid)
				.where(sql`partnership_uuid is null`),
			...[
				t.tagId,
				t.categoryId,
				t.stageId,
				t.tierId,
				t.folderUuid,
				t.resourceUuid,
				t.partnershipUuid,
			].flatMap((column) => {
				const isSet = sql.raw(`${column.name} is not null`);
				const name = `content_link_${column.name}`;
				return [
					kit.uniqueIndex(name).on(t.recordUuid, column).where(isSet),
					kit.index(`${name}_by`).on(column, t.recordUuid).where(isSet),
				];
			}),
		],
	);

	return {
		resource,
		certification,
		enrollment,
		room,
		block,
		secureFile,
		contentLink,
	};
}
