import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect } from "vitest";

/** The text of docs/receiver.md. */
export const docs = readFileSync(
	join(import.meta.dirname, "../../../docs/receiver.md"),
	"utf8",
);

/** The code blocks under a heading, in order. */
export function blocksOf(heading: string): string[] {
	const start = docs.split("\n").indexOf(heading);
	expect(start, heading).toBeGreaterThan(-1);
	const rest = docs.split("\n").slice(start + 1);
	const end = rest.findIndex((line) => /^#{1,3} /.test(line));
	const section = rest.slice(0, end === -1 ? undefined : end).join("\n");
	return [...section.matchAll(/```js\n([\s\S]*?)```/g)].map(
		(match) => match[1] ?? "",
	);
}

/** A folder in which blocks run and find the workspace's packages. It is removed after the tests of the file. */
export function openBlocks() {
	const folder = mkdtempSync(join(import.meta.dirname, "../.docs-"));
	afterAll(() => rmSync(folder, { recursive: true }));
	let files = 0;
	return {
		folder,
		/** Writes a block to a file of its own in the folder and imports it. */
		async run<T>(block: string | undefined): Promise<T> {
			const file = join(folder, `block-${++files}.js`);
			writeFileSync(file, block ?? "");
			return import(/* @vite-ignore */ file) as Promise<T>;
		},
	};
}
