import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { Plugin } from "vite";

/** Where Vite writes the licences of the bundled modules (`build.license`). */
export const NOTICES = "third-party-notices.md";

/** The notices of bundled styles, fonts and icons: Vite looks at modules of code alone. */
const STYLES = ["tailwindcss", "@fontsource-variable/inter"];
const ICONS = "@iconify-json/lucide";

/** The licence that goes by the name of ISC; the icons' package names it and holds no copy. */
const ISC = `Permission to use, copy, modify, and/or distribute this software for any purpose with or without fee is hereby granted, provided that
the above copyright notice and this permission notice appear in all copies.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES WITH REGARD TO THIS SOFTWARE INCLUDING ALL IMPLIED WARRANTIES OF
MERCHANTABILITY AND FITNESS. IN NO EVENT SHALL THE AUTHOR BE LIABLE FOR ANY SPECIAL, DIRECT, INDIRECT, OR CONSEQUENTIAL DAMAGES OR ANY
DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THIS SOFTWARE.`;

const { resolve } = createRequire(import.meta.url);
const read = (name: string, file: string) =>
	readFileSync(join(dirname(resolve(`${name}/package.json`)), file), "utf8");

function toNotice(name: string): string {
	const { version, license } = JSON.parse(read(name, "package.json"));
	const heading = `## ${name} - ${version} (${license})`;
	if (name !== ICONS) return `${heading}\n\n${read(name, "LICENSE").trim()}`;
	const { author } = JSON.parse(read(name, "info.json"));
	if (license !== "ISC") throw new Error(`${name} is not ISC any more`);
	return `${heading}\n\nCopyright (c) ${author.name}, ${author.url}\n\n${ISC}`;
}

/** Adds the licences of styles, fonts and icons to those that Vite collects. */
export const moreNotices = (): Plugin => ({
	name: "partnerwire:more-notices",
	generateBundle: {
		order: "post",
		handler(_, bundle) {
			const notices = bundle[NOTICES];
			if (notices?.type !== "asset") throw new Error(`no ${NOTICES}`);
			const more = [...STYLES, ICONS].map(toNotice);
			notices.source = `${notices.source}\n${more.join("\n\n")}\n`;
		},
	},
});
