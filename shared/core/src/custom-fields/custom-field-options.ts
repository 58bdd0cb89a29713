import {
	ApiError,
	type CustomFieldOption,
	type CustomFieldOptionUpdate,
	hasOptions,
} from "@partnerwire/contract";
import { asc, eq, max, or } from "drizzle-orm";
import { countCommissions, referenceTo } from "../commissions/uses.ts";
import type { Context } from "../context/context.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { createParts } from "../resource/create-parts.ts";
import { selectRows } from "../resource/resource-kind.ts";
import { toTimes } from "../values/times.ts";
import { customFields } from "./custom-fields.ts";
import { isOptionInRule } from "./engine/is-option-in-rule.ts";
import { toRule } from "./engine/load-field-set.ts";
import { countChoices } from "./engine/uses.ts";
import { renewVersion } from "./renew-version.ts";

type OptionRow = RowOf<"customFieldOption">;

const toShown = ({ row }: { row: OptionRow }): CustomFieldOption => ({
	id: row.id,
	uuid: row.uuid,
	label: row.label,
	series: row.series,
	...toTimes(row),
});

async function nextSeries(
	customFieldUuid: string,
	{ db }: Context,
): Promise<number> {
	const { customFieldOption } = db.tables;
	const [last] = await db.query
		.select({ series: max(customFieldOption.series) })
		.from(customFieldOption)
		.where(eq(customFieldOption.customFieldUuid, customFieldUuid));
	return (last?.series ?? 0) + 1;
}

/** Throws a 409 for an option that a record or a rule uses (docs/decisions.md#configuration-in-use). */
async function refuseUsed(option: OptionRow, context: Context): Promise<void> {
	const { query, tables } = context.db;
	const { customFieldRule } = tables;
	const field = await customFields.readRow(option.customFieldUuid, context);
	const records = await countChoices(context.db, field, option.id);
	const rules = await query
		.select()
		.from(customFieldRule)
		.where(
			or(
				eq(customFieldRule.triggerId, field.id),
				eq(customFieldRule.targetId, field.id),
			),
		);
	const naming = rules.filter((row) =>
		isOptionInRule(toRule(row), field.id, option.id),
	).length;
	const commissions = await countCommissions(
		referenceTo.option(option.id),
		context,
	);
	if (records === 0 && naming === 0 && commissions === 0) return;
	const users = [
		records > 0 && (records === 1 ? "1 record" : `${records} records`),
		naming > 0 && (naming === 1 ? "1 rule" : `${naming} rules`),
		commissions > 0 &&
			(commissions === 1 ? "1 commission" : `${commissions} commissions`),
	];
	throw new ApiError(
		"conflict",
		`the option "${option.label}" is used by ${users.filter(Boolean).join(" and ")}; reassign them before deleting it`,
	);
}

const options = createParts({
	table: "customFieldOption",
	entity: "custom_field_option",
	noun: "option",
	parents: {
		read: customFields.read,
		readLive: customFields.read,
		touch: async (_, context) => {
			await renewVersion(context);
			return undefined;
		},
	},
	column: "customFieldUuid",
	select: selectRows("customFieldOption"),
	order: ({ tables }) => asc(tables.customFieldOption.series),
	toShown,
	toColumns: ({ label, series }: CustomFieldOptionUpdate) => ({
		label,
		series,
	}),
	complete: async ({ customFieldUuid = "", series }, context) => {
		const field = await customFields.readRow(customFieldUuid, context);
		if (!hasOptions(field.type)) {
			throw new ApiError(
				"conflict",
				`the custom field "${field.label}" is of the type ${field.type}, which has no options`,
			);
		}
		return { series: series ?? (await nextSeries(customFieldUuid, context)) };
	},
	removing: refuseUsed,
}).handlers;

/** The operations on the options of custom fields. */
export const customFieldOptionHandlers = {
	listCustomFieldOptions: options.list,
	createCustomFieldOption: options.create,
	updateCustomFieldOption: options.update,
	deleteCustomFieldOption: options.remove,
} satisfies Partial<Handlers>;
