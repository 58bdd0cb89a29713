const RESELLER = "/v1/partners#reseller";
export const DISTRIBUTOR = "/v1/partners#distributor";

/** A select field of deals, and its first option. */
export const SELECT = "/v1/custom-fields#select";
export const OPTION = "/v1/custom-fields#select/options";

/** Members that hold a uuid which no record has, each with the reason. */
const OF_NO_RECORD: Readonly<Record<string, string>> = {
	group_id: "the client makes it up: formulas with the same one are one group",
};
export const isUuidOfNoRecord = (member: string) =>
	Object.hasOwn(OF_NO_RECORD, member);

/** Whether a member of a schema holds the uuid or the integer id of a record. */
export const isId = (
	member: string,
	{ type, format }: { type?: string; format?: string },
) => format === "uuid" || (type === "integer" && /(_i|I)ds?$/.test(member));

/**
 * The collections that references of bodies are to; some depend on the kind of record that refers, or on the member
 * that they are in.
 */
const COLLECTIONS: Record<string, string> = {
	partnership_uuid: "/v1/partners",
	integration_id: "/v1/integrations",
	"deals/partnership_uuid": RESELLER,
	reseller_uuid: RESELLER,
	distributor_uuid: DISTRIBUTOR,
	lead_uuid: "/v1/leads",
	deal_uuid: "/v1/deals",
	product_uuid: "/v1/products",
	attribution_uuid: "/v1/attributions",
	contact_uuid: "/v1/contacts",
	user_uuid: "/v1/users",
	entity_uuid: "/v1/leads",
	custom_field_uuid: "/v1/custom-fields#lead",
	trigger_field_uuid: "/v1/custom-fields#lead",
	target_field_uuid: "/v1/custom-fields",
	"partners/tag_uuid": "/v1/tags#partner",
	"leads/tag_uuid": "/v1/tags#lead",
	"deals/tag_uuid": "/v1/tags#deal",
	"cards/tag_uuid": "/v1/tags#card",
	"partners/stage_uuid": "/v1/partner-stages",
	"deals/stage_uuid": "/v1/deal-stages",
	"resources/tag_uuid": "/v1/tags#resource",
	"rooms/tag_uuid": "/v1/tags#resource",
	"rooms/stage_uuid": "/v1/partner-stages",
	category_uuid: "/v1/categories",
	tier_uuid: "/v1/tiers",
	asset_uuid: "/v1/assets",
	resource_uuid: "/v1/resources",
	"resources/folder_uuid": "/v1/folders#resource",
	"certifications/folder_uuid": "/v1/folders#certification",
	currency_uuid: "/v1/currencies",
	"leads/stage_uuid": "/v1/lead-stages",
	payment_stage_uuid: "/v1/deal-stages",
	role_uuid: "/v1/deals/partner-roles",
	pricing_calculator_uuid: "/v1/pricing-calculators",
	pricing_calculator_product_uuid: "/v1/pricing-calculators/{uuid}/products",
	selected_product_uuid: "/v1/products",
	target_product_uuid: "/v1/products",
	assigned_user_uuids: "/v1/users",
	parent_uuid: "/v1/folders#resource",
	"agreements/template_uuid": "/v1/agreement-templates",
	"campaigns/template_uuid": "/v1/marketing-templates",
	payment_stage_id: "/v1/deal-stages",
	customFieldId: SELECT,
	optionId: OPTION,
	anchor_field_id: "/v1/pricing-calculators/{uuid}/fields",
	"currency/uuid": "/v1/currencies",
	"currency/code": "/v1/currencies",
	"document/uuid": "/v1/assets",
	selected_products: "/v1/pricing-calculators/{uuid}/products",
	"selected_products/uuid": "/v1/pricing-calculators/{uuid}/products",
	"partners/uuids": "/v1/custom-fields#partner",
	"leads/uuids": "/v1/custom-fields#lead",
	"deals/uuids": "/v1/custom-fields#lead_deal",
};

/** The collection that a member of an operation's body refers to; "" where it refers to none. */
export function collectionOf(
	path: string,
	member: string,
	inside = "",
): string {
	const [, kind] = /^\/v1\/([\w-]+)/.exec(path) ?? [];
	return (
		COLLECTIONS[`${inside}/${member}`] ??
		COLLECTIONS[`${kind}/${member}`] ??
		COLLECTIONS[member] ??
		""
	);
}

/** The known records of a test world. */
export interface Made {
	/** The uuid of the record that was made last under each collection's path. */
	readonly uuids: ReadonlyMap<string, string>;
	/** Other keys of a record, by its uuid: the integer id, or the code of a currency. */
	readonly others: ReadonlyMap<string, number | string>;
}

/** The value of a member that refers to the last record of its collection; none if it refers to nothing. */
export function referenceTo(
	{ uuids, others }: Made,
	path: string,
	member: string,
	inside = "",
): string | number | undefined {
	const uuid = uuids.get(collectionOf(path, member, inside));
	return uuid && !/uuids?$|^integration_id$|^selected_products$/.test(member)
		? others.get(uuid)
		: uuid;
}

/** A body whose references are to the records that were made, wherever in it they are. */
export function withReferences(body: object, path: string, made: Made): object {
	const fill = (member: string, value: unknown, inside: string): unknown => {
		if (Array.isArray(value))
			return value.map((item) => fill(member, item, inside));
		if (typeof value === "object" && value !== null)
			return fillAll(value, member);
		return value === null
			? null
			: (referenceTo(made, path, member, inside) ?? value);
	};
	const fillAll = (value: object, inside: string): object =>
		Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [
				name,
				fill(name, inner, inside),
			]),
		);
	return fillAll(body, "");
}
