import type { ColumnKit } from "../kit.sqlite.ts";
import type { AccessTables } from "./access.ts";
import type { ConfigurationTables } from "./configuration.ts";
import type { RecordTables } from "./records.ts";

/** The parts of partners, leads and deals: contacts, domains, and links to tags, users and contacts. */
export function defineLinkTables(
	kit: ColumnKit,
	{
		company,
		user,
		tag,
		partner,
	}: AccessTables & ConfigurationTables & RecordTables,
) {
	const owned = () => ({
		uuid: kit.uuid("uuid").primaryKey(),
		companyUuid: kit
			.uuid("company_uuid")
			.notNull()
			.references(() => company.uuid),
		partnershipUuid: kit
			.uuid("partnership_uuid")
			.notNull()
			.references(() => partner.uuid),
		createdAt: kit.time("created_at").notNull(),
		updatedAt: kit.time("updated_at").notNull(),
	});

	const contact = kit.table(
		"contact",
		{
			...owned(),
			firstName: kit.text("first_name"),
			lastName: kit.text("last_name"),
			email: kit.text("email").notNull(),
			/** The e-mail with its case folded: unique per partner (docs/decisions.md#contacts). */
			emailKey: kit.text("email_key").notNull(),
			phoneNumber: kit.text("phone_number"),
		},
		(t) => [
			kit.uniqueIndex("contact_email").on(t.partnershipUuid, t.emailKey),
			kit.index("contact_list").on(t.companyUuid, t.createdAt),
			kit.index("contact_updated").on(t.companyUuid, t.updatedAt),
			kit.index("contact_partnership").on(t.partnershipUuid, t.createdAt),
		],
	);

	const partnerDomain = kit.table(
		"partner_domain",
		{
			...owned(),
			domain: kit.text("domain").notNull(),
			isPrimary: kit.bool("is_primary").notNull(),
		},
		(t) => [
			kit.uniqueIndex("partner_domain_name").on(t.companyUuid, t.domain),
			kit.index("partner_domain_list").on(t.partnershipUuid, t.createdAt),
		],
	);

	/**
	 * Links of records of any kind. Each row sets one of the three columns. One table for all, so that one prepared query
	 * reads every link of a record. `record_uuid` has no foreign key, because it belongs to a partner, a lead, a deal or
	 * a task. Only tasks are ever removed, and their links with them.
	 */
	const recordLink = kit.table(
		"record_link",
		{
			id: kit.id(),
			recordUuid: kit.uuid("record_uuid").notNull(),
			tagId: kit.int("tag_id").references(() => tag.id),
			userUuid: kit.uuid("user_uuid").references(() => user.uuid),
			contactUuid: kit.uuid("contact_uuid").references(() => contact.uuid),
			createdAt: kit.time("created_at").notNull(),
		},
		(t) => [
			kit.uniqueIndex("record_link_tag").on(t.recordUuid, t.tagId),
			kit.uniqueIndex("record_link_user").on(t.recordUuid, t.userUuid),
			kit.uniqueIndex("record_link_contact").on(t.recordUuid, t.contactUuid),
			kit.index("record_link_by_tag").on(t.tagId, t.recordUuid),
			kit.index("record_link_by_user").on(t.userUuid, t.recordUuid),
			kit.index("record_link_by_contact").on(t.contactUuid, t.recordUuid),
		],
	);

	return { contact, partnerDomain, recordLink };
}
