import GithubSlugger from "github-slugger";
import highlight from "highlight.js";
import MarkdownIt from "markdown-it";
import anchor from "markdown-it-anchor";

interface Heading {
	readonly level: number;
	readonly title: string;
	readonly slug: string;
}

export interface Rendered {
	readonly title: string;
	readonly html: string;
	readonly headings: readonly Heading[];
}

/** `receiver.md#inbox` → `/docs/receiver#inbox`, and other paths within docs → below `/docs/`. Other files of the repository have no URL. */
function toAddress(link: string): string | null {
	if (/^(https?:|#|\/)/.test(link)) return link;
	if (link.startsWith("../")) return null;
	return `/docs/${link.replace(/\.md(?=#|$)/, "")}`;
}

/** Converts a page of Markdown to HTML. Headings have the same anchors as on GitHub, so that links work in both places. */
export function toHtml(markdown: string): Rendered {
	const slugger = new GithubSlugger();
	const headings: Heading[] = [];
	const md = MarkdownIt({
		// Pages use `<picture>` and `<br>`. HTML is safe here: the pages are our own.
		html: true,
		highlight: (code, language) =>
			highlight.getLanguage(language)
				? highlight.highlight(code, { language }).value
				: "",
	}).use(anchor, {
		slugify: (title: string) => slugger.slug(title),
		permalink: anchor.permalink.linkInsideHeader({
			symbol: "#",
			placement: "after",
			ariaHidden: true,
			// Links that are hidden from screen readers must not get the keyboard's focus either.
			renderAttrs: () => ({ tabindex: "-1" }),
		}),
		callback: (token, { title, slug }) => {
			headings.push({ level: Number(token.tag.slice(1)), title, slug });
		},
	});
	const { link_open: openLink, table_open: openTable } = md.renderer.rules;
	const plain: typeof openLink = (tokens, index, options, _, self) =>
		self.renderToken(tokens, index, options);
	md.renderer.rules.link_open = (tokens, index, ...rest) => {
		const token = tokens[index];
		const href = String(token?.attrGet("href") ?? "");
		if (token?.attrGet("class") !== "header-anchor") {
			const address = toAddress(href);
			if (address === null) token?.attrs?.splice(token.attrIndex("href"), 1);
			else token?.attrSet("href", address);
		}
		return (openLink ?? plain)(tokens, index, ...rest);
	};
	// A wide table scrolls, not the page.
	md.renderer.rules.table_open = (...all) =>
		`<div class="table" tabindex="0" role="region" aria-label="Table">${(openTable ?? plain)(...all)}`;
	md.renderer.rules.table_close = () => "</table></div>\n";
	const html = md
		.render(markdown)
		// A wide block scrolls, also by the keyboard.
		.replaceAll("<pre><code", '<pre tabindex="0"><code')
		// The content security policy refuses style attributes.
		.replaceAll(/ style="text-align:(\w+)"/g, ' class="$1"')
		.replaceAll(/(src|srcset)="(?:docs\/)?img\//g, '$1="/docs/img/');
	return {
		title: headings.find(({ level }) => level === 1)?.title ?? "Partnerwire",
		html,
		headings,
	};
}
