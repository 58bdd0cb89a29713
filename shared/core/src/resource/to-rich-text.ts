import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";

/** HTML is let through to the sanitiser, so that an answer that is sent back stays as it is. */
const markdown = new MarkdownIt({ html: true });

const ALLOWED_TAGS = [
	...["h1", "h2", "h3", "h4", "h5", "h6", "p", "br", "hr", "blockquote"],
	...[
		"strong",
		"b",
		"em",
		"i",
		"u",
		"s",
		"del",
		"code",
		"pre",
		"a",
		"ul",
		"ol",
		"li",
	],
	...["table", "thead", "tbody", "tr", "th", "td"],
];

/** What Markdown makes, and nothing that runs, loads or styles. */
const ALLOWED: sanitizeHtml.IOptions = {
	allowedTags: ALLOWED_TAGS,
	allowedAttributes: { a: ["href", "title"], ol: ["start"], code: ["class"] },
	allowedClasses: { code: [/^language-[\w-]+$/] },
	allowedSchemes: ["http", "https", "mailto", "tel"],
	allowProtocolRelative: false,
};

/** Of these nothing is worth reading; any other unknown tag may be meant as text, such as `List<String>`. */
const GONE = new Set(["script", "style", "img"]);
const TAG_NAME = /^<\/?([a-z][\w-]*)/i;

markdown.renderer.rules.html_inline = (tokens, index) => {
	const content = tokens[index]?.content ?? "";
	const name = TAG_NAME.exec(content)?.[1]?.toLowerCase();
	const isTag = !name || GONE.has(name) || ALLOWED_TAGS.includes(name);
	return isTag ? content : markdown.utils.escapeHtml(content);
};

/** What the sanitiser took out leaves blank lines, which would end a block of HTML; those of code stay. */
const BLANK_LINES = /(<pre>.*?<\/pre>)|\n(?:[ \t]*\n)+/gs;
/** A blank line of code is written as a reference: as it is, it would end the block of HTML when the answer is sent back. */
const BLANK_LINE_OF_CODE = /\n(?=[ \t]*\n)/g;

/**
 * Converts the Markdown of a task (spec, Task: headings, bold, italic, lists, links, code blocks) into rich text: HTML
 * that is safe to show.
 *
 * @example
 * toRichText("**Call** <script>alert(1)</script>"); // "<p><strong>Call</strong> </p>"
 */
export const toRichText = (text: string): string =>
	sanitizeHtml(markdown.render(text), ALLOWED)
		.replace(
			BLANK_LINES,
			(_, code: string | undefined) =>
				code?.replace(BLANK_LINE_OF_CODE, "&#10;") ?? "\n",
		)
		.trim();
