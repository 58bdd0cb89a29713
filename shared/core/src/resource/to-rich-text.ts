import MarkdownIt from "markdown-it";
import sanitizeHtml from "sanitize-html";

/** HTML is passed through to the sanitiser, so that an answer that a client sends back does not change. */
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

/** The tags that Markdown produces, and none that runs code, loads files or styles. */
const ALLOWED: sanitizeHtml.IOptions = {
	allowedTags: ALLOWED_TAGS,
	allowedAttributes: { a: ["href", "title"], ol: ["start"], code: ["class"] },
	allowedClasses: { code: [/^language-[\w-]+$/] },
	allowedSchemes: ["http", "https", "mailto", "tel"],
	allowProtocolRelative: false,
};

/** The content of these tags is dropped. Any other unknown tag may be text, such as `List<String>`. */
const GONE = new Set(["script", "style", "img"]);
const TAG_NAME = /^<\/?([a-z][\w-]*)/i;

markdown.renderer.rules.html_inline = (tokens, index) => {
	const content = tokens[index]?.content ?? "";
	const name = TAG_NAME.exec(content)?.[1]?.toLowerCase();
	const isTag = !name || GONE.has(name) || ALLOWED_TAGS.includes(name);
	return isTag ? content : markdown.utils.escapeHtml(content);
};

/** Tags that the sanitiser removed leave blank lines, which would end a block of HTML. Those in code stay. */
const BLANK_LINES = /(<pre>.*?<\/pre>)|\n(?:[ \t]*\n)+/gs;
/** A blank line of code is written as a character reference. Otherwise it would end the block when sent back. */
const BLANK_LINE_OF_CODE = /\n(?=[ \t]*\n)/g;

/**
 * Converts the Markdown of a task (docs/contract.md#task) into rich text: HTML that is safe to show. It supports
 * headings, bold, italic, lists, links and code blocks.
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
