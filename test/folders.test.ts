import { describe, expect, test } from "vitest";
import { importsOf, isTypeScript, PACKAGES, sourcesOf } from "./kit/sources.ts";

type Name = keyof typeof LAYERS;

/**
 * The folders of a package, lowest first (docs/architecture.md#folders-of-a-package). Each may import those before it, type imports
 * too, so that there are no circles. Files beside the folders may import all folders, but no folder imports them,
 * unless they have a place in the list.
 */
const LAYERS = {
	contract: ["table", "resources", "operations.ts", "openapi", "tools"],
	core: [
		"values",
		"db",
		"secrets",
		"copy",
		"context",
		"delivery/sql",
		"delivery/emit",
		"delivery/lanes",
		"delivery/claim",
		"delivery/record",
		"delivery/replay",
		"delivery/retention",
		"delivery",
		"delivery/alerts",
		"execute",
		"custom-fields/engine",
		"resource",
		"partners",
		"commissions",
		"leads",
		"deals",
		"custom-fields",
		"products",
		"records",
		"tasks",
		"pricing",
		"learning",
		"content",
		"analytics",
		"integrations",
		"webhook-events",
		"company",
	],
	dispatcher: ["sign", "http", "probe", "thread", "worker"],
	receiver: [
		"common",
		"verify",
		"report",
		"body",
		"dedupe",
		"handle",
		"inbox",
		"options.ts",
		"pipeline.ts",
		"receiver.ts",
		"stores",
		"adapters",
		"testing",
	],
	admin: [
		"assets",
		"metrics",
		"http",
		"dashboard",
		"mcp",
		"service",
		"emulator",
		"torture",
		"cli",
	],
} as const satisfies Partial<Record<keyof typeof PACKAGES, readonly string[]>>;

/** The longest folder of the list that contains the file, or the file's own name if it is beside the folders. */
const folderOf = (path: string, source: string, layers: readonly string[]) => {
	const inside = path.slice(source.length);
	return (
		layers
			.filter((layer) => inside.startsWith(`${layer}/`))
			.toSorted((a, b) => b.length - a.length)[0] ?? inside
	);
};

describe.each(Object.entries<readonly string[]>(LAYERS))(
	"the folders of %s",
	(name, layers) => {
		const source = `${PACKAGES[name as Name]}/src/`;
		const imports = sourcesOf(name as Name)
			.flatMap(importsOf)
			.filter(({ to }) => isTypeScript(to));
		const placeOf = (path: string) => folderOf(path, source, layers);

		test("are all in the list", () => {
			const folders = sourcesOf(name as Name)
				.map((path) => placeOf(path))
				.filter((place) => place.includes("/") && !layers.includes(place));
			expect(folders).toEqual([]);
		});

		test("import only what is below them", () => {
			const wrong = imports.filter(({ from, to }) => {
				const [above, below] = [placeOf(from), placeOf(to)];
				if (above === below || !layers.includes(above)) return false;
				return layers.indexOf(below) < 0
					? true
					: layers.indexOf(below) > layers.indexOf(above);
			});
			expect(wrong.map(({ from, to }) => `${from} → ${to}`)).toEqual([]);
		});

		test("hold at most 20 files on one level", () => {
			const counts = new Map<string, number>();
			for (const path of sourcesOf(name as Name)) {
				const folder = path.slice(0, path.lastIndexOf("/"));
				counts.set(folder, (counts.get(folder) ?? 0) + 1);
			}
			expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
		});
	},
);
