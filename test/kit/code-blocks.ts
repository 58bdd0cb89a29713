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
	const fence = /^( *)```(.*)\n([\s\S]*?)^\1```$/gm;
	return [...source.matchAll(fence)].map((match) => {
		const before = source.slice(0, match.index);
		const [, indent = "", language = "", code = ""] = match;
		return {
			language,
			// In a list, a block is indented.
			code: code.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
			line: before.split("\n").length,
			before,
		};
	});
}
