import { describe, expect, test } from "vitest";
import { PACKAGES } from "../kit/program/packed.ts";
import { readSource } from "../kit/sources.ts";

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

	test("says what it is, for whom, and under which licence; its repository, if it is named, is that of its folder", () => {
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
		for (const member of ["homepage", "bugs", "private"])
			expect(manifest).not.toHaveProperty(member);
		// The release sets it (docs/releasing.md). npm compares it with the provenance.
		if ("repository" in manifest)
			expect(manifest.repository).toEqual({
				type: "git",
				url: expect.stringMatching(/^git\+https:/),
				directory: folder,
			});
	});

	test("its README begins with its name and shows an example", () => {
		const readme = readSource(`${folder}/README.md`);
		expect(readme.startsWith(`# ${manifest.name}\n`)).toBe(true);
		expect(readme).toContain("```js\n");
	});
});

test("the lock file has the version of all, and their references to each other", () => {
	const lock = JSON.parse(readSource("package-lock.json"));
	expect(lock.version).toBe(version);
	for (const folder of PACKAGES) {
		const { dependencies } = readManifest(folder);
		expect(lock.packages[folder].version).toBe(version);
		expect(lock.packages[folder].dependencies).toEqual(dependencies);
	}
});

test("the change log has a heading of the version, unless nothing was ever released", () => {
	const headings = [...readSource("CHANGELOG.md").matchAll(/^## (.*)$/gm)].map(
		([, heading = ""]) => heading,
	);
	expect(headings.length).toBeGreaterThan(0);
	if (headings.join() === "Unreleased") return;
	const dated = new RegExp(
		`^\\[?${version.replaceAll(".", "\\.")}\\]? - \\d{4}-\\d\\d-\\d\\d$`,
	);
	expect(headings.filter((heading) => dated.test(heading))).toHaveLength(1);
});
