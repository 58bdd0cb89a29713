import { join } from "node:path";
import { defineConfig } from "vitest/config";

const everywhere = (suffix: string) => [
	`test/**/*${suffix}`,
	`*/test/**/*${suffix}`,
	`shared/*/test/**/*${suffix}`,
];

// Packages are tested from their source: the "partnerwire-source" condition of each package.json leads there.
const conditions = ["partnerwire-source", "node"];
// The tests of all packages share what is in test/kit.
const alias = { "#kit": join(import.meta.dirname, "test/kit") };
const shared = {
	resolve: { conditions, alias },
	ssr: { resolve: { conditions } },
};

/** Vitest's second is not enough for a state to come where two suites share two cores. */
const patience = (timeout: number) => ({ poll: { timeout } });
const eachFile = {
	setupFiles: "./test/kit/each-file.ts",
	expect: patience(30_000),
};

/** A project whose suites know its name. */
const named = (name: string) => ({ name, provide: { project: name } });

/** Suites that run on both engines: whatever opens its database by `newDatabase`. */
const onBothEngines = [
	"admin/test/**/*.test.ts",
	"shared/core/test/**/*.test.ts",
	"dispatcher/test/worker/{clock-steps,dead-workers,fairness,long-failures,order,worker-faults}.test.ts",
];
/** Suites about SQLite's own files, plans and batches, or about no database. */
const notOnPostgres = [
	"shared/core/test/db/{disk-full,group-commit,limit-log,list-plans,log-left,open-sqlite,power-cut,prepared,worker-lock}.test.ts",
	"shared/core/test/{delivery/queue-plans,webhook-events/webhook-event-plans}.test.ts",
	"shared/core/test/{custom-fields,pricing}/**",
	"admin/test/dashboard/dashboard-{edit,lib,size}.test.ts",
	"admin/test/http/group-commit.test.ts",
];
/** The most telling of them, and no more than `npm test` has time for; the rest is in `npm run test:full`. */
const firstOnPostgres = [
	"**/*.postgres.test.ts",
	"shared/core/test/{db/snapshot,execute/{idempotency,statements},delivery/{outbox,queue-claim,queue-ordering}}.test.ts",
	"admin/test/{company/audit-log,http/{errors,lists,list-snapshots},webhooks/{integrations,webhook-events,webhooks}}.test.ts",
];
/** The suites that a pooler could break most easily: locks, several statements of one transaction, races, lists. */
const throughPgbouncer = [
	"**/*.pgbouncer.test.ts",
	"shared/core/test/{execute/idempotency,db/{list-search,snapshot},webhook-events/{replays,watch-deliveries}}.test.ts",
	"shared/core/test/delivery/{outbox,purge,queue-claim,queue-ordering}.test.ts",
	"admin/test/{company/audit-log,http/{errors,lists},webhooks/{integrations,webhook-events,webhooks}}.test.ts",
	"test/faults/clocks-apart.postgres.test.ts",
];
/** On the oldest version: the migrations, the core on the database, a worker, the copy, and a read replica. */
const onOldestPostgres = [
	...firstOnPostgres,
	"shared/core/test/{copy/every-table.postgres-rest,db/{postgres/postgres,standby.full,text}}.test.ts",
	"dispatcher/test/worker/worker-faults.test.ts",
	"test/e2e/copy.postgres-rest.test.ts",
];
const postgres = {
	...eachFile,
	globalSetup: "./test/kit/database/postgres-server.ts",
	isolate: false,
	testTimeout: 60_000,
	hookTimeout: 120_000,
};

/** `unit` needs nothing but npm; `full` adds what needs installed programs or long loops (`*.full.test.ts`). */
export default defineConfig({
	test: {
		maxWorkers: 2,
		globalSetup: "./test/kit/engines.ts",
		projects: [
			{
				...shared,
				test: {
					...eachFile,
					...named("unit"),
					include: everywhere(".test.ts"),
					exclude: [
						"**/node_modules/**",
						...everywhere(".{full,pgbouncer,postgres,postgres-rest}.test.ts"),
					],
					// A third of the time went into importing the same modules anew for each file; what a file changes, it restores.
					isolate: false,
					testTimeout: 60_000,
					hookTimeout: 120_000,
					typecheck: {
						enabled: true,
						include: everywhere(".test-d.ts"),
						tsconfig: "./tsconfig.type-tests.json",
						checker: "node_modules/typescript-native/bin/tsc",
					},
				},
			},
			{
				...shared,
				test: {
					...postgres,
					...named("postgres"),
					include: firstOnPostgres,
				},
			},
			{
				...shared,
				test: {
					...postgres,
					// Debian's, which is some versions older than the embedded one.
					globalSetup: "./test/kit/database/system-postgres-server.ts",
					...named("postgres-rest"),
					include: [...onBothEngines, "**/*.postgres-rest.test.ts"],
					exclude: [
						"**/node_modules/**",
						...everywhere(".{full,pgbouncer}.test.ts"),
						...notOnPostgres,
						...firstOnPostgres,
					],
				},
			},
			{
				...shared,
				test: {
					...postgres,
					globalSetup: "./test/kit/database/oldest-postgres-server.ts",
					...named("postgres-14"),
					include: onOldestPostgres,
					// Version 15 is the first that orders and folds the text of a whole database by ICU.
					exclude: ["**/node_modules/**", "**/text-locales.postgres.test.ts"],
				},
			},
			{
				...shared,
				test: {
					...postgres,
					globalSetup: "./test/kit/database/pgbouncer-server.ts",
					...named("pgbouncer"),
					include: throughPgbouncer,
				},
			},
			{
				...shared,
				test: {
					...eachFile,
					...named("full"),
					globalSetup: "./test/kit/platforms/module-of-platforms.ts",
					expect: patience(60_000),
					include: everywhere(".full.test.ts"),
					testTimeout: 1_200_000,
					hookTimeout: 120_000,
				},
			},
		],
	},
});
