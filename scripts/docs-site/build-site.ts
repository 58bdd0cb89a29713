import {
	cpSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createOpenApi } from "@partnerwire/contract";
import { readFixture } from "partnerwire";
import { toSections } from "./sections.ts";
import { toHtml } from "./to-html.ts";
import { type Navigation, toPage, toReferencePage } from "./to-page.ts";

const ROOT = join(import.meta.dirname, "../..");
const ASSETS = join(import.meta.dirname, "assets");
const SWAGGER = dirname(
	createRequire(join(ROOT, "admin/package.json")).resolve(
		"swagger-ui-dist/package.json",
	),
);

/** The assets and their licences. Two licences get a name that says to which library they belong. */
const SWAGGER_FILES: readonly (readonly [file: string, name?: string])[] = [
	["swagger-ui.css"],
	["swagger-ui-bundle.js"],
	["swagger-ui-bundle.js.LICENSE.txt"],
	["LICENSE", "swagger-ui.LICENSE.txt"],
	["NOTICE", "swagger-ui.NOTICE.txt"],
];

/** Builds the pages of `docs/`, the API reference and its document as static files. */
export function buildSite(to: string): void {
	const from = join(ROOT, "docs");
	rmSync(to, { recursive: true, force: true });
	mkdirSync(join(to, "api"), { recursive: true });
	for (const folder of ["img", "deploy"])
		cpSync(join(from, folder), join(to, folder), { recursive: true });
	cpSync(ASSETS, join(to, "_site"), { recursive: true });
	cpSync(
		join(ROOT, "admin/web/public/favicon.svg"),
		join(to, "_site/favicon.svg"),
	);
	for (const [file, name = file] of SWAGGER_FILES)
		cpSync(join(SWAGGER, file), join(to, "_site", name));
	writeFileSync(
		join(to, "openapi.json"),
		JSON.stringify(createOpenApi(readFixture)),
	);

	const pages = new Map(
		readdirSync(from)
			.filter((file) => file.endsWith(".md"))
			.map((file) => {
				const markdown = readFileSync(join(from, file), "utf8");
				cpSync(join(from, file), join(to, file));
				return [file.slice(0, -".md".length), toHtml(markdown)] as const;
			}),
	);
	const sections: Navigation[] = toSections([...pages.keys()]).map(
		({ title, names }) => ({
			title,
			items: names.map((name) => ({
				href: `/docs/${name}`,
				title: pages.get(name)?.title ?? name,
			})),
		}),
	);
	for (const [name, page] of pages)
		writeFileSync(
			join(to, `${name}.html`),
			toPage(page, sections, `/docs/${name}`),
		);
	writeFileSync(join(to, "api/index.html"), toReferencePage());
	const welcome = toHtml(readFileSync(join(ASSETS, "../welcome.md"), "utf8"));
	writeFileSync(join(to, "index.html"), toPage(welcome, sections, "/docs/"));
}
