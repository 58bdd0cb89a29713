import { readSource } from "./sources.ts";

/** A fenced block of a page. */
export interface Block {
	readonly language: string;
	readonly code: string;
	/** Its first line, from 1. */
	readonly line: number;
	/** The text of the page before it. */
	readonly before: string;
}

/** The fenced blocks of a Markdown file of the repository, in order. */
export function blocksOf(page: string): Block[] {
	const source = readSource(page);
	return [...source.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map((match) => {
		const before = source.slice(0, match.index);
		return {
			language: match[1] ?? "",
			code: match[2] ?? "",
			line: before.split("\n").length,
			before,
		};
	});
}
