/* The answer of a tool as text, within what an assistant reads at once (docs/mcp.md#long-answers). */
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { MAX_TOOL_ANSWER_BYTES, type Page } from "@partnerwire/contract";

/** The answer as JSON. One that is too long is shortened, and a second text says how to go on. */
export function toContent(answer: unknown): CallToolResult["content"] {
	const json = JSON.stringify(answer);
	const texts = cut(json);
	if (texts.length === 1 || !isPage(answer)) return toTexts(...texts);
	const page = toShorterPage(answer);
	return toTexts(...cut(JSON.stringify(page)), describe(page));
}

const toTexts = (...texts: string[]) =>
	texts.map((text) => ({ type: "text" as const, text }));

const isPage = (answer: unknown): answer is Page<unknown> =>
	typeof answer === "object" &&
	answer !== null &&
	"pagination" in answer &&
	"data" in answer;

/**
 * The page with its first records alone, at least one. Its `pagination` is that of a page which ends with them: the one
 * after it, of the same `per_page`, begins where these end.
 */
function toShorterPage(answer: Page<unknown>): Page<unknown> {
	const { page, per_page, total } = answer.pagination;
	let left = MAX_TOOL_ANSWER_BYTES - 1000;
	const fitting = answer.data.findIndex((item) => {
		left -= Buffer.byteLength(JSON.stringify(item)) + 1;
		return left < 0;
	});
	const { count, size, end } = chooseCut((page - 1) * per_page, fitting);
	return {
		...answer,
		data: answer.data.slice(0, count),
		pagination: {
			page: end / size,
			per_page: size,
			total,
			total_pages: Math.ceil(total / size),
		},
	};
}

/**
 * Chooses how many records to answer of those that fit, and the size of pages of which one ends with them. Neither is less
 * than half of what fits, whatever page was asked for.
 */
function chooseCut(before: number, fitting: number) {
	const most = Math.max(1, fitting);
	let best = { count: 1, size: 1, end: before + 1 };
	for (let count = most; count > 0; count--)
		for (let size = most; size > 0; size--) {
			const isBetter = Math.min(count, size) > Math.min(best.count, best.size);
			const end = before + count;
			if (isBetter && end % size === 0) best = { count, size, end };
		}
	return best;
}

const describe = ({ data, pagination: { page, per_page } }: Page<unknown>) =>
	`The page that was asked for is too long: this is its beginning, ${data.length} of its records. Go on with page ${page + 1} and per_page ${per_page}.`;

/** The text, or its beginning and a second one that says so. */
function cut(json: string): string[] {
	const bytes = Buffer.from(json);
	if (bytes.length <= MAX_TOOL_ANSWER_BYTES) return [json];
	const start = bytes.subarray(0, MAX_TOOL_ANSWER_BYTES);
	return [
		// A character that is cut in half is left out.
		new TextDecoder().decode(start, { stream: true }),
		`The answer has ${bytes.length} bytes and ends here, after ${start.length}. The API answers all of it.`,
	];
}
