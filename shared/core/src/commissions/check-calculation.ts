import { invalidMembers } from "@partnerwire/contract";
import type {
	CommissionCalculation,
	ScalingConfig,
} from "@partnerwire/contract/pricing";
import { and, eq, inArray } from "drizzle-orm";
import type { Context } from "../context/context.ts";

type Calculation = CommissionCalculation["entries"][number]["calculation"];
type Rates = Pick<Calculation, "scalingConfig" | "periodRates">;

/** A reference in a calculation. */
interface Referred {
	/** Names the referenced record: references with equal keys are to the same record. */
	readonly key: string;
	readonly field: string;
	readonly message: string;
	/** The key of the reference that it belongs to. If that one is refused, this one is not reported. */
	readonly of?: string;
}

const toKey = {
	stage: (id: number) => `stage ${id}`,
	field: (id: number) => `field ${id}`,
	option: (fieldId: number, id: number) => `option ${fieldId} ${id}`,
	currency: (uuid: string) => `currency ${uuid}`,
	code: (uuid: string, code: string) => `code ${uuid} ${code}`,
	asset: (uuid: string) => `asset ${uuid}`,
};

/** All scalings of a calculation, each with the path of its member. */
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

/** All references of a calculation, at any depth. */
function* referredIn({ entries }: CommissionCalculation): Generator<Referred> {
	for (const [index, entry] of entries.entries()) {
		const at = `body/calculation/entries/${index}`;
		yield {
			key: toKey.stage(entry.payment_stage_id),
			field: `${at}/payment_stage_id`,
			message: "is not the id of a deal stage of this account",
		};
		const { currency, document } = entry.override ?? {};
		if (currency) {
			const currencyKey = toKey.currency(currency.uuid);
			const field = `${at}/override/currency`;
			const message = "is not a currency of this account";
			yield { key: currencyKey, field: `${field}/uuid`, message };
			yield {
				key: toKey.code(currency.uuid, currency.code),
				field: `${field}/code`,
				message: "is not the code of this currency",
				of: currencyKey,
			};
		}
		if (document)
			yield {
				key: toKey.asset(document.uuid),
				field: `${at}/override/document/uuid`,
				message: "does not refer to a record of this account",
			};
		const scalings = scalingsOf(`${at}/calculation`, entry.calculation);
		for (const [path, { customFieldId, tiers }] of scalings) {
			const fieldKey = toKey.field(customFieldId);
			const message = "is not the id of a select field of deals";
			yield { key: fieldKey, field: `${path}/customFieldId`, message };
			for (const [place, { optionId }] of tiers.entries())
				yield {
					key: toKey.option(customFieldId, optionId),
					field: `${path}/tiers/${place}/optionId`,
					message: "is not the id of an option of this field",
					of: fieldKey,
				};
		}
	}
}

/** The keys of the account's deal stages, select fields of deals with options, currencies, and the named assets. */
async function loadKnown(
	{ entries }: CommissionCalculation,
	{ db, caller }: Context,
): Promise<Set<string>> {
	const { query, tables } = db;
	const { stage, customField, customFieldOption, currency, asset } = tables;
	const { companyUuid } = caller;
	const stages = await query
		.select({ id: stage.id })
		.from(stage)
		.where(and(eq(stage.companyUuid, companyUuid), eq(stage.entity, "deal")));
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
			),
		);
	const currencies = await query
		.select({ uuid: currency.uuid, code: currency.code })
		.from(currency)
		.where(eq(currency.companyUuid, companyUuid));
	const named = entries.flatMap(
		({ override }) => override?.document?.uuid ?? [],
	);
	const assets = named.length
		? await query
				.select({ uuid: asset.uuid })
				.from(asset)
				.where(
					and(
						eq(asset.companyUuid, companyUuid),
						inArray(asset.uuid, [...new Set(named)]),
					),
				)
		: [];
	return new Set([
		...stages.map(({ id }) => toKey.stage(id)),
		...options.flatMap(({ fieldId, id }) => [
			toKey.field(fieldId),
			...(id === null ? [] : [toKey.option(fieldId, id)]),
		]),
		...currencies.flatMap(({ uuid, code }) => [
			toKey.currency(uuid),
			toKey.code(uuid, code),
		]),
		...assets.map(({ uuid }) => toKey.asset(uuid)),
	]);
}

/**
 * Throws a 400 for references to records that the account does not have. References that the stored calculation has
 * already are allowed (docs/decisions.md#references-in-a-body).
 */
export async function checkCalculation(
	calculation: CommissionCalculation,
	stored: CommissionCalculation | null,
	context: Context,
): Promise<void> {
	const references = [...referredIn(calculation)];
	if (references.length === 0) return;
	const known = await loadKnown(calculation, context);
	for (const { key } of stored ? referredIn(stored) : []) known.add(key);
	const invalid = references.filter(
		({ key, of }) => !known.has(key) && (of === undefined || known.has(of)),
	);
	if (invalid.length > 0)
		throw invalidMembers(
			invalid.map(({ field, message }) => ({ field, message })),
		);
}
