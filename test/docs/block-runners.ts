/**
 * The test that reads the fenced blocks of each page, and runs them if possible: language → [test file, number of blocks]. `npm test`
 * compares the numbers with the pages, so a block without such a test fails the suite.
 */
type Runners = Readonly<
	Record<string, readonly [test: string, blocks: number]>
>;

/** `text` is output, and allowed only on pages whose output a test checks. */
export const NOT_RUN: readonly string[] = ["text"];

/** The test that checks commands against the command line's names and flags, without running them. */
const COMMANDS = "test/docs/commands.test.ts";
const INSTALLED = "test/packaging/installed.full.test.ts";
export const NEWCOMER = "test/newcomer/newcomer.full.test.ts";
const RECEIVER = "receiver/test/docs.test.ts";
const LANGUAGES = "test/languages/languages.ts";
const CONSUMERS = "test/packaging/consumers.full.test.ts";

export const RUNNERS: Readonly<Record<string, Runners>> = {
	"README.md": { sh: [COMMANDS, 6], ts: ["test/docs/readme.test.ts", 1] },
	"admin/README.md": { sh: [COMMANDS, 1], js: [INSTALLED, 1] },
	"dispatcher/README.md": { js: [INSTALLED, 1] },
	"fixtures/README.md": { js: [INSTALLED, 1] },
	"receiver/README.md": { js: [INSTALLED, 1] },
	"shared/contract/README.md": { js: [INSTALLED, 1] },
	"shared/core/README.md": { js: [INSTALLED, 1] },
	"shared/sdk/README.md": { js: [INSTALLED, 1] },
	"shared/wire/README.md": { js: [INSTALLED, 1] },
	"docs/admin.md": { sh: [COMMANDS, 1] },
	"docs/copy.md": { sh: [COMMANDS, 2] },
	"docs/custom-fields.md": {
		http: ["admin/test/company/custom-field-docs.test.ts", 8],
	},
	"docs/database.md": { sh: [COMMANDS, 1] },
	"docs/deploy.md": {
		sh: [NEWCOMER, 3],
		ini: ["test/kit/database/pgbouncer.ts", 1],
	},
	"docs/dispatcher.md": { ts: ["test/docs/dispatcher.test.ts", 2] },
	"docs/emulator.md": {
		sh: ["test/docs/emulator.test.ts", 5],
		ts: ["test/docs/emulator.test.ts", 1],
		js: ["test/packaging/jest.full.test.ts", 1],
	},
	"docs/first-webhook.md": { sh: [NEWCOMER, 6], js: [NEWCOMER, 1] },
	"docs/mcp.md": { json: [COMMANDS, 1] },
	"docs/migrating.md": { ts: ["test/docs/migrating.full.test.ts", 5] },
	"docs/operating.md": {
		sh: ["test/docs/operating.full.test.ts", 3],
		json: ["admin/test/webhooks/alerts.test.ts", 1],
	},
	"docs/other-languages.md": {
		sh: [LANGUAGES, 8],
		python: [LANGUAGES, 1],
		ruby: [LANGUAGES, 1],
		go: [LANGUAGES, 1],
		php: [LANGUAGES, 1],
		java: [LANGUAGES, 1],
		csharp: [LANGUAGES, 1],
		nginx: [LANGUAGES, 2],
		ini: [LANGUAGES, 1],
	},
	"docs/pricing-calculators.md": {
		json: ["admin/test/records/pricing-evaluation.test.ts", 10],
	},
	"docs/performance.md": { sh: [COMMANDS, 1] },
	"docs/quick-start.md": { sh: [NEWCOMER, 3] },
	"docs/receiver.md": {
		sh: [COMMANDS, 2],
		js: [RECEIVER, 19],
		ts: ["receiver/test/adapters/frameworks.full.test.ts", 4],
		cjs: [CONSUMERS, 1],
		cts: [CONSUMERS, 1],
	},
	"docs/scale.md": { sh: [COMMANDS, 3] },
	"docs/sdk.md": { js: ["test/docs/sdk.test.ts", 2] },
	"docs/security.md": {
		sh: [COMMANDS, 1],
		ts: ["test/docs/security.test.ts", 1],
	},
	"docs/standard-webhooks.md": {
		sh: [COMMANDS, 1],
		js: ["test/docs/standard-webhooks.test.ts", 2],
	},
};
