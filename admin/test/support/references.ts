export const RESELLER = "/v1/partners#reseller";
export const DISTRIBUTOR = "/v1/partners#distributor";

/** The collections that references of bodies are to; some depend on the kind of record that refers. */
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
};

/** The collection that a member of an operation's body refers to; "" where it refers to none. */
export function collectionOf(path: string, member: string): string {
	const [, kind] = /^\/v1\/([\w-]+)/.exec(path) ?? [];
	return COLLECTIONS[`${kind}/${member}`] ?? COLLECTIONS[member] ?? "";
}

/** A body whose references are to the records that were made, wherever in it they are. */
export function withReferences(
	body: object,
	path: string,
	uuids: ReadonlyMap<string, string>,
): object {
	const toReference = (member: string) => uuids.get(collectionOf(path, member));
	const fill = (member: string, value: unknown): unknown => {
		if (Array.isArray(value)) return value.map((item) => fill(member, item));
		if (typeof value === "object" && value !== null) return fillAll(value);
		return value === null ? null : (toReference(member) ?? value);
	};
	const fillAll = (value: object): object =>
		Object.fromEntries(
			Object.entries(value).map(([name, inner]) => [name, fill(name, inner)]),
		);
	return fillAll(body);
}
