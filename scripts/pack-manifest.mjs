// `npm pack` and `npm publish` run this before and after packing, in the package's folder (scripts `prepack` and `postpack`).
import {
	copyFileSync,
	existsSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";

const MANIFEST = "package.json";
const KEPT = ".package.json.kept";
const LICENSE = "LICENSE";

/** The condition that only the repository needs. It leads to the sources, which are not published. */
const withoutSources = (value) =>
	typeof value === "object" && value !== null
		? Object.fromEntries(
				Object.entries(value)
					.filter(([condition]) => condition !== "partnerwire-source")
					.map(([key, inner]) => [key, withoutSources(inner)]),
			)
		: value;

const targetsOf = (value) =>
	typeof value === "string"
		? [value]
		: Object.values(value ?? {}).flatMap(targetsOf);

function restore() {
	if (existsSync(KEPT)) renameSync(KEPT, MANIFEST);
	rmSync(LICENSE, { force: true });
}

function prepare() {
	// The last run may have ended before `postpack`.
	restore();
	const { scripts, devDependencies, ...manifest } = JSON.parse(
		readFileSync(MANIFEST, "utf8"),
	);
	for (const key of ["exports", "imports"])
		if (manifest[key]) manifest[key] = withoutSources(manifest[key]);
	const published = manifest.files.filter((path) => !path.startsWith("!"));
	const missing = [
		...published,
		...targetsOf([manifest.exports, manifest.imports, manifest.bin]),
	].filter((path) => !path.includes("*") && !existsSync(path));
	if (missing.length > 0)
		throw new Error(
			`${manifest.name} is not built: ${missing.join(", ")} is missing. Run \`npm run build\` and \`npm run declarations\`.`,
		);
	copyFileSync(join(import.meta.dirname, "..", LICENSE), LICENSE);
	renameSync(MANIFEST, KEPT);
	writeFileSync(MANIFEST, `${JSON.stringify(manifest, null, "\t")}\n`);
}

const steps = { prepare, restore };
steps[process.argv[2]]();
