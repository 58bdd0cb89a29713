import { invalidMembers } from "@partnerwire/contract";
import type {
	CommissionCalculation,
	ScalingConfig,
} from "@partnerwire/contract/pricing";
import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "../../execute/context.ts";

type Calculation = CommissionCalculation["entries"][number]["calculation"];
type Rates = Pick<Calculation, "scalingConfig" | "periodRates">;

/** Every scaling of a calculation, with the path of its member. */
function* scalingsOf(
	path: string,
	{ scalingConfig, periodRates, split }: Rates & Pick<Calculation, "split">,
): Generator<[string, ScalingConfig]> {
	if (scalingConfig) yield [`${path}/scalingConfig`, scalingConfig];
	for (const [index, period] of periodRates?.periods.entries() ?? [])
		if (period.scalingConfig)
			yield [
				`${path}/periodRates/periods/${index}/scalingConfig`,
				period.scalingConfig,
			];
	for (const kind of ["oneOff", "recurring"] as const)
		if (split) yield* scalingsOf(`${path}/split/${kind}`, split[kind]);
}

/** The account's own stages of deals, select fields of deals with their options, and currencies. */
async function loadKnown(
	calculation: CommissionCalculation,
	fieldIds: readonly number[],
	{ db, caller }: Context,
) {
	const { query, tables } = db;
	const { stage, customField, customFieldOption, currency } = tables;
	const { companyUuid } = caller;
	const stages = await query
		.select({ id: stage.id })
		.from(stage)
		.where(
			and(
				eq(stage.companyUuid, companyUuid),
				eq(stage.entity, "deal"),
				inArray(stage.id, [
					...new Set(
						calculation.entries.map((entry) => entry.payment_stage_id),
					),
				]),
			),
		);
	const options = await query
		.select({ fieldId: customField.id, id: customFieldOption.id })
		.from(customField)
		.leftJoin(
			customFieldOption,
			eq(customFieldOption.customFieldUuid, customField.uuid),
		)
		.where(
			and(
				eq(customField.companyUuid, companyUuid),
				eq(customField.category, "lead_deal"),
				eq(customField.type, "select"),
				inArray(customField.id, [...new Set(fieldIds)]),
			),
		);
	const currencies = await query
		.select({ uuid: currency.uuid, code: currency.code })
		.from(currency)
		.where(eq(currency.companyUuid, companyUuid));
	return {
		isStage: (id: number) => stages.some((stage) => stage.id === id),
		isField: (id: number) => options.some(({ fieldId }) => fieldId === id),
		isOption: (of: number, id: number) =>
			options.some((option) => option.fieldId === of && option.id === id),
		isCurrency: (uuid: string, code: string) =>
			currencies.some((own) => own.uuid === uuid && own.code === code),
	};
}

/** Refuses a commission that refers to a stage, a custom field, an option or a currency that the account does not have. */
export async function checkCalculation(
	calculation: CommissionCalculation,
	context: Context,
): Promise<void> {
	const { entries } = calculation;
	if (entries.length === 0) return;
	const scalings = entries.flatMap((entry, index) => [
		...scalingsOf(
			`body/calculation/entries/${index}/calculation`,
			entry.calculation,
		),
	]);
	const fieldIds = scalings.map(([, { customFieldId }]) => customFieldId);
	const known = await loadKnown(calculation, fieldIds, context);
	const invalid: { field: string; message: string }[] = [];
	for (const [index, { payment_stage_id, override }] of entries.entries()) {
		const entry = `body/calculation/entries/${index}`;
		if (!known.isStage(payment_stage_id))
			invalid.push({
				field: `${entry}/payment_stage_id`,
				message: "is not the id of a deal stage of this account",
			});
		const currency = override?.currency;
		if (currency && !known.isCurrency(currency.uuid, currency.code))
			invalid.push({
				field: `${entry}/override/currency`,
				message: "is not a currency of this account",
			});
	}
	for (const [field, { customFieldId, tiers }] of scalings) {
		if (!known.isField(customFieldId)) {
			const message = "is not the id of a select field of deals";
			invalid.push({ field: `${field}/customFieldId`, message });
			continue;
		}
		for (const [index, { optionId }] of tiers.entries())
			if (!known.isOption(customFieldId, optionId))
				invalid.push({
					field: `${field}/tiers/${index}/optionId`,
					message: "is not the id of an option of this field",
				});
	}
	if (invalid.length > 0) throw invalidMembers(invalid);
}
