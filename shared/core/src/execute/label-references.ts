import { type AnyColumn, and, eq, getTableColumns, inArray } from "drizzle-orm";
import type { Change, Reference, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Tables } from "../db/tables.ts";

type CompanyData = Pick<Context, "db" | "caller">;

type Named =
	| "asset"
	| "certification"
	| "deal"
	| "integration"
	| "lead"
	| "partner"
	| "pricingCalculator"
	| "product"
	| "user"
	| "calculatorProduct";

/** Members that are bare uuids in records, and the tables they may refer to. */
const REFERRING: Readonly<Record<string, readonly Named[]>> = {
	asset_uuid: ["asset"],
	certification_uuid: ["certification"],
	deal_uuid: ["deal"],
	integration_id: ["integration"],
	lead_uuid: ["lead"],
	partner_uuid: ["partner"],
	partnership_uuid: ["partner"],
	pricing_calculator_product_uuid: ["calculatorProduct"],
	pricing_calculator_uuid: ["pricingCalculator"],
	product_uuid: ["product"],
	profile_image_uuid: ["asset"],
	// A formula may refer to a product, or to a product's place in the calculator.
	selected_product_uuid: ["product", "calculatorProduct"],
	target_product_uuid: ["product", "calculatorProduct"],
	user_uuid: ["user"],
};

/** The columns that name a record, by the members that `toLabel` reads. */
const NAMES = {
	label: "label",
	name: "name",
	company_name: "companyName",
	email: "email",
	first_name: "firstName",
	last_name: "lastName",
	url: "url",
};

/** `hasOwn`, because members come from bodies too: `constructor` is not one of these. */
const namedBy = (member: string): readonly Named[] =>
	Object.hasOwn(REFERRING, member) ? (REFERRING[member] ?? []) : [];

/**
 * Replaces the uuids of a change by labels for the audit log (docs/decisions.md#audit-log). Only the company's own
 * records get labels, whatever a stored value says.
 */
export async function labelReferences(
	change: Change,
	data: CompanyData,
): Promise<Change> {
	const { before, after } = change;
	const differing = Object.keys({ ...before, ...after }).filter(
		(member) => before?.[member] !== after?.[member],
	);
	const found = differing.flatMap((member) => [
		...findReferences(member, before?.[member]),
		...findReferences(member, after?.[member]),
	]);
	if (found.length === 0) return change;
	const labels = await loadLabels(found, data);
	const label = (shown: Resource | null) =>
		shown && {
			...shown,
			...Object.fromEntries(
				differing.map((member) => [
					member,
					toLabelled(member, shown[member], labels),
				]),
			),
		};
	return { ...change, before: label(before), after: label(after) };
}

function* findReferences(
	member: string,
	value: unknown,
): Generator<[string, string]> {
	if (typeof value === "string" && namedBy(member).length > 0)
		yield [member, value];
	if (typeof value !== "object" || value === null) return;
	const isList = Array.isArray(value);
	for (const [name, inner] of Object.entries(value))
		yield* findReferences(isList ? member : name, inner);
}

async function loadLabels(
	found: readonly [string, string][],
	data: CompanyData,
): Promise<Map<string, Reference>> {
	const wanted = new Map<Named, Set<string>>();
	for (const [member, uuid] of found)
		for (const table of namedBy(member))
			wanted.set(table, (wanted.get(table) ?? new Set()).add(uuid));
	const labels = new Map<string, Reference>();
	for (const [table, uuids] of wanted)
		for (const row of await loadNamed(table, [...uuids], data))
			labels.set(row.uuid, row);
	return labels;
}

async function loadNamed(
	table: Named,
	uuids: string[],
	{ db: { query, tables }, caller: { companyUuid } }: CompanyData,
): Promise<Reference[]> {
	const { calculatorProduct, product } = tables;
	if (table === "calculatorProduct")
		return query
			.select({ uuid: calculatorProduct.uuid, name: product.name })
			.from(calculatorProduct)
			.innerJoin(product, eq(product.uuid, calculatorProduct.productUuid))
			.where(
				and(
					inArray(calculatorProduct.uuid, uuids),
					eq(calculatorProduct.companyUuid, companyUuid),
					eq(product.companyUuid, companyUuid),
				),
			);
	// Each of these tables has a uuid; a type parameter cannot say so.
	const named = tables[table] as Tables["product"];
	const columns: Record<string, AnyColumn> = getTableColumns(named);
	const shown = Object.entries(NAMES).flatMap(([member, name]) =>
		columns[name] ? [[member, columns[name]]] : [],
	);
	const rows = await query
		.select({ uuid: named.uuid, ...Object.fromEntries(shown) })
		.from(named)
		.where(and(inArray(named.uuid, uuids), eq(named.companyUuid, companyUuid)));
	return rows as Reference[];
}

/** Replaces uuids by labels, inside lists and objects too. A deleted record keeps its uuid. */
function toLabelled(
	member: string,
	value: unknown,
	labels: ReadonlyMap<string, Reference>,
): unknown {
	if (typeof value === "string")
		return namedBy(member).length > 0 ? (labels.get(value) ?? value) : value;
	if (Array.isArray(value))
		return value.map((item) => toLabelled(member, item, labels));
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(
		Object.entries(value).map(([name, inner]) => [
			name,
			toLabelled(name, inner, labels),
		]),
	);
}
