import {
	ApiError,
	type CustomField,
	type CustomFieldCreate,
	type CustomFieldUpdate,
	hasOptions,
} from "@partnerwire/contract";
import { and, asc, count, eq, inArray, max, or } from "drizzle-orm";
import { countCommissions, referenceTo } from "../commissions/uses.ts";
import type { Context } from "../context/context.ts";
import { insertRow, type RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { createSettings } from "../resource/create-settings.ts";
import { toTimes } from "../values/times.ts";
import { countUses, removeBlanks, selectUsers } from "./engine/uses.ts";
import { renewVersion } from "./renew-version.ts";

type FieldRow = RowOf<"customField">;

const toShown = (row: FieldRow): CustomField => ({
	id: row.id,
	uuid: row.uuid,
	label: row.label,
	type: row.type,
	category: row.category,
	partner_type: row.partnerType,
	options: [],
	required: row.required,
	shared: row.shared,
	help_text: row.helpText,
	link: row.link,
	placeholder: row.placeholder,
	series: row.series,
	...toTimes(row),
});

/** Adds to fields their options, in their order. */
async function attachOptions(
	rows: readonly FieldRow[],
	{ db }: Pick<Context, "db">,
) {
	const { customFieldOption } = db.tables;
	const uuids = rows.filter(({ type }) => hasOptions(type)).map(toUuid);
	const options =
		uuids.length === 0
			? []
			: await db.query
					.select()
					.from(customFieldOption)
					.where(inArray(customFieldOption.customFieldUuid, uuids))
					.orderBy(asc(customFieldOption.series), asc(customFieldOption.id));
	return (row: FieldRow) => ({
		options: options
			.filter(({ customFieldUuid }) => customFieldUuid === row.uuid)
			.map(({ id, uuid, label }) => ({ id, uuid, label })),
	});
}

const toUuid = ({ uuid }: { uuid: string }) => uuid;

async function addOptions(
	customFieldUuid: string,
	{ options = [] }: Pick<CustomFieldCreate, "options">,
	{ db, caller, nowMs, newUuid }: Context,
): Promise<void> {
	for (const [index, { label, series = index + 1 }] of options.entries()) {
		await insertRow(db, "customFieldOption", {
			uuid: newUuid(),
			companyUuid: caller.companyUuid,
			customFieldUuid,
			label,
			series,
			createdAt: nowMs,
			updatedAt: nowMs,
		});
	}
}

/** A new field comes last in its category, unless the body has a `series`. */
async function complete(
	{ category, series, required, shared }: Partial<FieldRow>,
	{ db, caller }: Context,
) {
	const { customField } = db.tables;
	const [last] = await db.query
		.select({ series: max(customField.series) })
		.from(customField)
		.where(
			and(
				eq(customField.companyUuid, caller.companyUuid),
				whenEqual(customField.category, category),
			),
		);
	return {
		series: series ?? (last?.series ?? 0) + 1,
		required: required ?? false,
		shared: shared ?? false,
	};
}

const isAbout = ({ db }: Context, id: number) => {
	const { customFieldRule } = db.tables;
	return or(
		eq(customFieldRule.triggerId, id),
		eq(customFieldRule.targetId, id),
	);
};

const conflict = (message: string) => new ApiError("conflict", message);
const amount = (rows: number, noun: string) =>
	rows === 1 ? `1 ${noun}` : `${rows} ${noun}s`;

/** Throws a 409 if rules use the field as trigger or target. */
async function refuseRuled({ id, label }: FieldRow, context: Context) {
	const { customFieldRule } = context.db.tables;
	const [counted] = await context.db.query
		.select({ rows: count() })
		.from(customFieldRule)
		.where(isAbout(context, id));
	const rules = counted?.rows ?? 0;
	if (rules === 0) return;
	throw conflict(
		`the custom field "${label}" is used by ${amount(rules, "rule")}; delete them first`,
	);
}

/** Throws a 409 for a new type if the field has values, rules or options, which are of its present type. */
async function refuseNewType(
	{ type }: Partial<FieldRow>,
	viewed: { row: FieldRow } | null,
	context: Context,
): Promise<void> {
	if (!viewed || type === undefined) return;
	const { row } = viewed;
	const { customFieldOption } = context.db.tables;
	const { query } = context.db;
	const values = await countUses(context.db, row);
	const message = `the type of the custom field "${row.label}" cannot change`;
	if (values > 0)
		throw conflict(`${message}: it is used by ${amount(values, "record")}`);
	await refuseRuled(row, context);
	const [options] = await query
		.select({ rows: count() })
		.from(customFieldOption)
		.where(eq(customFieldOption.customFieldUuid, row.uuid));
	if (options?.rows && !hasOptions(type))
		throw conflict(`${message}: it has ${amount(options.rows, "option")}`);
}

/** Removes the blanks and options of a field that is deleted. Throws a 409 if rules use it. */
async function removeBelongings(row: FieldRow, context: Context) {
	await refuseRuled(row, context);
	const { query, tables } = context.db;
	const { customFieldOption } = tables;
	await removeBlanks(context.db, row);
	await query
		.delete(customFieldOption)
		.where(eq(customFieldOption.customFieldUuid, row.uuid));
}

/** The definitions of custom fields (docs/custom-fields.md#definitions), as settings of a company. */
export const customFields = createSettings<
	"customField",
	CustomField,
	CustomFieldUpdate & Partial<CustomFieldCreate>
>({
	table: "customField",
	entity: "custom_field",
	noun: "custom field",
	toShown,
	attach: attachOptions,
	toColumns: (body) => ({
		label: body.label,
		type: body.type,
		category: body.category,
		partnerType: body.partner_type,
		required: body.required,
		shared: body.shared,
		helpText: body.help_text,
		link: body.link,
		placeholder: body.placeholder,
		series: body.series,
	}),
	complete,
	created: addOptions,
	refuse: refuseNewType,
	removing: removeBelongings,
	cascade: (_, context) => renewVersion(context),
	countUses: async (row, context) =>
		(await countUses(context.db, row)) +
		(await countCommissions(
			referenceTo.field(row.id),
			context,
			selectUsers(context.db, row),
		)),
});

export const customFieldHandlers = {
	listCustomFields: ({ query }, context) => {
		const { customField } = context.db.tables;
		const where = and(
			whenEqual(customField.category, query.category),
			whenEqual(customField.type, query.type),
			whenEqual(customField.partnerType, query.partner_type),
		);
		const order = [asc(customField.category), asc(customField.series)];
		return customFields.listAll(context, where, order);
	},
	getCustomField: customFields.handlers.get,
	createCustomField: customFields.handlers.create,
	updateCustomField: customFields.handlers.update,
	deleteCustomField: customFields.handlers.remove,
} satisfies Partial<Handlers>;
