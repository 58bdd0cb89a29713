import { defineConfig } from "vitest/config";

const everywhere = (suffix: string) => [
	`test/**/*${suffix}`,
	`*/test/**/*${suffix}`,
	`shared/*/test/**/*${suffix}`,
];

// Packages are tested from their source: the "partnerwire-source" condition of each package.json leads there.
const conditions = ["partnerwire-source", "node"];
const shared = {
	resolve: { conditions },
	ssr: { resolve: { conditions } },
};

const setupFiles = "./test/support/each-file.ts";

/** `unit` needs nothing but npm; `full` adds what needs installed programs or long loops (`*.full.test.ts`). */
export default defineConfig({
	test: {
		maxWorkers: 2,
		globalSetup: "./test/support/engines.ts",
		projects: [
			{
				...shared,
				test: {
					name: "unit",
					include: everywhere(".test.ts"),
					exclude: everywhere(".full.test.ts"),
					// A third of the time went into importing the same modules anew for each file; what a file changes, it restores.
					isolate: false,
					setupFiles,
					testTimeout: 60_000,
					hookTimeout: 120_000,
					typecheck: {
						enabled: true,
						include: everywhere(".test-d.ts"),
						tsconfig: "./tsconfig.tests.json",
					},
				},
			},
			{
				...shared,
				test: {
					name: "full",
					include: everywhere(".full.test.ts"),
					setupFiles,
					testTimeout: 1_200_000,
					hookTimeout: 120_000,
				},
			},
		],
	},
});
