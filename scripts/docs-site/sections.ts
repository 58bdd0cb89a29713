/** The navigation: pages of `docs/` by their names, in the order in which readers need them. Other pages are under "More". */
export const SECTIONS: readonly (readonly [string, readonly string[]])[] = [
	["Start", ["quick-start", "first-webhook", "emulator"]],
	[
		"Receive",
		[
			"receiver",
			"troubleshooting",
			"other-languages",
			"standard-webhooks",
			"migrating",
		],
	],
	[
		"Use the API",
		["sdk", "mcp", "custom-fields", "pricing-calculators", "coverage"],
	],
	[
		"Operate",
		[
			"deploy",
			"settings",
			"security",
			"admin",
			"dispatcher",
			"operating",
			"database",
			"copy",
			"scale",
		],
	],
	[
		"Project",
		["contract", "decisions", "architecture", "performance", "releasing"],
	],
];

/** Sorts the existing pages into sections, each page once. */
export function toSections(
	names: readonly string[],
): { title: string; names: string[] }[] {
	const listed = new Set(SECTIONS.flatMap(([, of]) => of));
	const more = names.filter((name) => !listed.has(name)).sort();
	return [...SECTIONS, ["More", more] as const]
		.map(([title, of]) => ({
			title,
			names: of.filter((name) => names.includes(name)),
		}))
		.filter((section) => section.names.length > 0);
}
