import { describe, expect, test } from "vitest";
import { PACKAGES } from "../support/packed.ts";
import { readSource } from "../support/sources.ts";

const readManifest = (folder: string) =>
	JSON.parse(readSource(`${folder}/package.json`)) as Record<string, never> & {
		name: string;
		version: string;
	};
const { version } = readManifest(".");
const names = new Set(PACKAGES.map((folder) => readManifest(folder).name));

describe.each(PACKAGES)("%s", (folder) => {
	const manifest = readManifest(folder);

	test("has the version of all, and refers to the others by it", () => {
		expect(manifest.version).toBe(version);
		const { dependencies = {}, peerDependencies = {} } = manifest;
		const own = Object.entries({ ...dependencies, ...peerDependencies }).filter(
			([name]) => names.has(name),
		);
		expect(own.filter(([, wanted]) => wanted !== version)).toEqual([]);
	});

	test("pins what it depends on", () => {
		const ranges = Object.values<string>(manifest.dependencies ?? {}).filter(
			(wanted) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(wanted),
		);
		expect(ranges).toEqual([]);
	});

	test("says what it is, for whom, and under which licence; it is bound to no host", () => {
		expect(manifest).toMatchObject({
			license: "MIT",
			type: "module",
			engines: { node: ">=20.19" },
			publishConfig: { access: "public" },
			scripts: {
				prepack: expect.stringMatching(/pack-manifest\.mjs prepare$/),
				postpack: expect.stringMatching(/pack-manifest\.mjs restore$/),
			},
		});
		expect(String(manifest.description)).toMatch(/\.$/);
		for (const member of ["repository", "homepage", "bugs", "private"])
			expect(manifest).not.toHaveProperty(member);
	});

	test("its README begins with its name and shows an example", () => {
		const readme = readSource(`${folder}/README.md`);
		expect(readme.startsWith(`# ${manifest.name}\n`)).toBe(true);
		expect(readme).toContain("```js\n");
	});
});

test("the change log knows the version, or what is to become it", () => {
	expect(readSource("CHANGELOG.md")).toMatch(
		new RegExp(`^## (Unreleased|${version.replaceAll(".", "\\.")}\\b.*)$`, "m"),
	);
});
