/** One sentence on each group of operations. The OpenAPI linter requires one for every group. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
	Account: "The company that a key belongs to, its modules and its API keys.",
	"Agreement Templates": "Texts that agreements are made from.",
	Agreements: "What was agreed with a partner.",
	Analytics: "Learning, partners, engagement and commissions over a period.",
	Assets: "Files by their address; nothing is fetched.",
	Attributions: "Where leads come from.",
	"Audit Log": "Who changed what, and when.",
	Automations: "Rules that are stored, and not run.",
	Campaigns: "Campaigns with their audience and partners.",
	Cards: "Cards with assignees, partners and tags.",
	Categories: "What partners and content are sorted by.",
	Certifications: "Courses with enrolments, progress and scores.",
	Commissions: "What partners earn from a deal, and rules for new deals.",
	Contacts: "The people at partners.",
	Currencies: "The currencies that amounts may be in.",
	"Custom Fields":
		"Fields of a company's own on leads, deals and partners, with rules.",
	Deals: "Deals with their payments, products and supporting partners.",
	"Event Subscriptions": "Which integration receives which events.",
	"Event Types": "The 19 events, each with the schema of its body.",
	Folders: "Folders of resources and certifications.",
	Integrations: "Where webhooks go: pause, resume, test, rotate the secret.",
	Leads: "Leads with their contacts, attributions, products and quote.",
	"Marketing Templates": "Texts for campaigns.",
	Partners: "Partners with their contacts, domains and resellers.",
	"Pricing Calculators": "Fields, products and formulas that make a price.",
	Products: "What is sold.",
	Resources: "Content for partners, in blocks.",
	Rooms: "Places that are shared with partners.",
	Tags: "Labels on records.",
	Tasks: "What is to be done, by whom and until when.",
	Tiers: "The levels that partners reach.",
	Users: "The people of the company.",
	"Webhook Events":
		"Deliveries: why each is where it is, replays, and the ledger.",
};

/** The document's tags: one for each group, in alphabetical order. */
export const toTags = (groups: Iterable<string>) =>
	[...new Set(groups)]
		.sort()
		.map((name) => ({ name, description: DESCRIPTIONS[name] }));
