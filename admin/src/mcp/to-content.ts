/* The answer of a tool as text, within what an assistant reads at once (docs/mcp.md#long-answers). */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { MAX_TOOL_ANSWER_BYTES, type Page } from "@partnerwire/contract";

/** The answer as JSON. One that is too long is shortened, and a second text says how to go on. */
export function toContent(answer: unknown): CallToolResult["content"] {
	const json = JSON.stringify(answer);
	if (Buffer.byteLength(json) <= MAX_TOOL_ANSWER_BYTES) return toTexts(json);
	const page = isPage(answer) ? toShorterPage(answer) : null;
	return page ? toTexts(JSON.stringify(page), describe(page)) : cut(json);
}

const toTexts = (...texts: string[]) =>
	texts.map((text) => ({ type: "text" as const, text }));

const isPage = (answer: unknown): answer is Page<unknown> =>
	typeof answer === "object" &&
	answer !== null &&
	"pagination" in answer &&
	"data" in answer;

/** The page that a smaller `per_page` gives, with the same first item. Null if that item alone is too long. */
function toShorterPage(answer: Page<unknown>): Page<unknown> | null {
	const { page, per_page, total } = answer.pagination;
	let left = MAX_TOOL_ANSWER_BYTES - 1000;
	let size = answer.data.findIndex((item) => {
		left -= Buffer.byteLength(JSON.stringify(item)) + 1;
		return left < 0;
	});
	const before = (page - 1) * per_page;
	// Pages of this size must begin where the page begins that was asked for.
	while (size > 0 && before % size !== 0) size--;
	if (size < 1) return null;
	return {
		...answer,
		data: answer.data.slice(0, size),
		pagination: {
			page: before / size + 1,
			per_page: size,
			total,
			total_pages: Math.ceil(total / size),
		},
	};
}

const describe = ({ pagination: { page, per_page } }: Page<unknown>) =>
	`The page that was asked for is too long. This is page ${page} with per_page ${per_page}: go on with page ${page + 1} and per_page ${per_page}.`;

function cut(json: string) {
	const bytes = Buffer.from(json);
	const start = bytes.subarray(0, MAX_TOOL_ANSWER_BYTES);
	return toTexts(
		// A character that is cut in half is left out.
		new TextDecoder().decode(start, { stream: true }),
		`The answer has ${bytes.length} bytes and ends here, after ${start.length}. The API answers all of it.`,
	);
}
