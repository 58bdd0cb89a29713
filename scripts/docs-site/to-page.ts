import type { Rendered } from "./to-html.ts";

interface NavigationItem {
	readonly href: string;
	readonly title: string;
}

export interface Navigation {
	readonly title: string;
	readonly items: readonly NavigationItem[];
}

const escapeHtml = (text: string) =>
	text
		.replaceAll("&", "&amp;")
		.replaceAll("<", "&lt;")
		.replaceAll('"', "&quot;");

const toItem = ({ href, title }: NavigationItem, current: string) =>
	`<li><a href="${href}"${href === current ? ' aria-current="page"' : ""}>${escapeHtml(title)}</a></li>`;

const toNavigation = (sections: readonly Navigation[], current: string) =>
	sections
		.map(
			({ title, items }) =>
				`<p class="group">${escapeHtml(title)}</p><ul>${items.map((item) => toItem(item, current)).join("")}</ul>`,
		)
		.join("");

/** The frame of every page. It has nothing inline and loads nothing from other hosts, as the strict content security policy demands. */
function toFrame(
	{ title, head = "" }: { title: string; head?: string },
	main: string,
): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="/docs/_site/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/_site/site.css">
${head}<title>${escapeHtml(title)} · Partnerwire</title>
</head>
<body>
<a class="skip" href="#main">To the text</a>
<header class="bar"><a class="brand" href="/docs/"><img src="/docs/_site/favicon.svg" alt="" width="24" height="24">Partnerwire</a><nav aria-label="Site"><a href="/docs/api/">API reference</a><a href="/">Dashboard</a></nav></header>
${main}
</body>
</html>
`;
}

/** A page of the documentation, with the navigation and the page's own contents beside it. */
export function toPage(
	{ title, html, headings }: Rendered,
	sections: readonly Navigation[],
	current: string,
): string {
	const navigation = toNavigation(sections, current);
	const here = headings
		.filter(({ level }) => level === 2)
		.map(({ title: text, slug }) => ({ href: `#${slug}`, title: text }));
	const onPage =
		here.length > 1
			? `<nav class="here" aria-label="On this page"><p class="group">On this page</p><ul>${here.map((item) => toItem(item, "")).join("")}</ul></nav>`
			: "";
	return toFrame(
		{ title },
		`<details class="menu"><summary>Menu</summary><nav aria-label="Menu">${navigation}</nav></details>
<div class="columns">
<nav class="side" aria-label="Documentation">${navigation}</nav>
<main id="main">${html}</main>
${onPage}
</div>`,
	);
}

/** The API reference: Swagger UI on `/openapi.json`. */
export const toReferencePage = (): string =>
	toFrame(
		{
			title: "API reference",
			head: '<link rel="stylesheet" href="/docs/_site/swagger-ui.css">\n<script defer src="/docs/_site/swagger-ui-bundle.js"></script>\n<script defer src="/docs/_site/reference.js"></script>\n',
		},
		'<main id="main" class="reference"><div id="reference"><p>The reference needs JavaScript; <a href="/openapi.json">the OpenAPI document</a> and <a href="/docs/coverage">the list of operations</a> do not.</p></div></main>',
	);
