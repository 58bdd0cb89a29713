import { and, asc, eq, sql } from "drizzle-orm";
import { LRUCache } from "lru-cache";
import type { Standing } from "../../context/standing.ts";
import type { Db } from "../../db/db.ts";
import type { RowOf } from "../../db/insert-row.ts";
import { defineQuery } from "../../db/prepared.ts";
import type { Field, FieldSet, Rule } from "./model.ts";

const versionOf = defineQuery(
	"fields_version",
	({ query, tables: { company } }) =>
		query
			.select({
				fieldsVersion: company.fieldsVersion,
				defaultCountry: company.defaultCountry,
			})
			.from(company)
			.where(eq(company.uuid, sql.placeholder("companyUuid"))),
);

/**
 * The newest set of each company. Its key has a version that is a new uuid with each change: a set that was loaded in
 * a transaction that was rolled back never matches a later version.
 */
const sets = new LRUCache<string, { key: string; set: FieldSet }>({
	max: 1000,
});

/**
 * The custom fields and active rules of a company; null if it never had any. They are read again only after a change,
 * including one by another process.
 */
export async function loadFieldSet(
	db: Db,
	companyUuid: string,
	/** If the operation has read the version already. */
	standing?: Standing,
): Promise<FieldSet | null> {
	const [row] = standing ? [standing] : await versionOf(db, { companyUuid });
	if (!row?.fieldsVersion) return null;
	const { fieldsVersion: version, defaultCountry: country } = row;
	const key = `${version} ${country}`;
	const known = sets.get(companyUuid);
	if (known?.key === key) return known.set;
	const set = await readFieldSet(db, companyUuid, country);
	sets.set(companyUuid, { key, set });
	return set;
}

async function readFieldSet(
	{ query, tables }: Db,
	companyUuid: string,
	country: string | null,
): Promise<FieldSet> {
	const { customField, customFieldOption, customFieldRule } = tables;
	const fields = await query
		.select()
		.from(customField)
		.where(eq(customField.companyUuid, companyUuid))
		.orderBy(asc(customField.series), asc(customField.id));
	const options = await query
		.select()
		.from(customFieldOption)
		.where(eq(customFieldOption.companyUuid, companyUuid))
		.orderBy(asc(customFieldOption.series), asc(customFieldOption.id));
	const rules = await query
		.select()
		.from(customFieldRule)
		.where(
			and(
				eq(customFieldRule.companyUuid, companyUuid),
				eq(customFieldRule.active, true),
			),
		)
		.orderBy(asc(customFieldRule.id));
	const optionsOf = new Map<string, Map<number, string>>();
	for (const { customFieldUuid, id, label } of options) {
		const labels = optionsOf.get(customFieldUuid) ?? new Map();
		optionsOf.set(customFieldUuid, labels.set(id, label));
	}
	return {
		fields: fields.map((row) => toField(row, optionsOf.get(row.uuid))),
		rules: rules.map(toRule),
		country,
	};
}

const toField = (
	{
		id,
		uuid,
		label,
		type,
		category,
		partnerType,
		required,
	}: RowOf<"customField">,
	options: ReadonlyMap<number, string> = new Map(),
): Field => ({
	id,
	uuid,
	label,
	type,
	category,
	partnerType,
	required,
	options,
});

const fromJson = <Value>(json: string | null): Value | null =>
	json === null ? null : JSON.parse(json);

export const toRule = (row: RowOf<"customFieldRule">): Rule => ({
	id: row.id,
	partnerType: row.partnerType,
	kind: row.kind,
	triggerId: row.triggerId,
	operator: row.operator,
	triggerValue: fromJson(row.triggerValue),
	targetId: row.targetId,
	value: fromJson(row.value),
	map: row.map === null ? null : new Map(JSON.parse(row.map)),
	lock: row.lock,
});
