import ts from "typescript";
import { expect, test } from "vitest";
import { listFiles, PACKAGES, readSource } from "./kit/sources.ts";

// Counts the places where the sources leave the type system. A better type is nearly always possible.

const MOST = 20;

/** A cast to any, unknown or never, or another use of `any`. */
interface Escape {
	readonly place: string;
	readonly hasReason: boolean;
}

const SCRIPT = /<script[^>]*>([\s\S]*?)<\/script>/;

/** The code of a file. That of a Vue file is its script. */
const codeOf = (path: string): string => {
	const text = readSource(path);
	return path.endsWith(".vue") ? (SCRIPT.exec(text)?.[1] ?? "") : text;
};

const isEscape = (node: ts.Node): boolean =>
	node.kind === ts.SyntaxKind.AnyKeyword ||
	((ts.isAsExpression(node) || ts.isTypeAssertionExpression(node)) &&
		(node.type.kind === ts.SyntaxKind.UnknownKeyword ||
			node.type.kind === ts.SyntaxKind.NeverKeyword));

function findEscapes(path: string, code = codeOf(path)): Escape[] {
	const source = ts.createSourceFile(
		path,
		code,
		ts.ScriptTarget.Latest,
		true,
		ts.ScriptKind.TS,
	);
	const lines = code.split("\n");
	const lineOf = (position: number) =>
		source.getLineAndCharacterOfPosition(position).line;
	const isBelowComment = (line: number) =>
		/^\s*(\/\/|\/\*|\*)/.test(lines[line - 1] ?? "");

	/** Is there a comment above the line of the node, or above its statement or a part of that? */
	const hasReason = (node: ts.Node): boolean => {
		if (isBelowComment(lineOf(node.end))) return true;
		for (let outer = node; ; outer = outer.parent) {
			if (isBelowComment(lineOf(outer.getStart()))) return true;
			if (ts.isStatement(outer) || ts.isSourceFile(outer)) return false;
		}
	};

	const found: Escape[] = [];
	const visit = (node: ts.Node): void => {
		if (isEscape(node))
			found.push({
				place: `${path}:${lineOf(node.end) + 1}`,
				hasReason: hasReason(node),
			});
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found;
}

const escapes = [
	...Object.values(PACKAGES).map((folder) => `${folder}/src`),
	"admin/web/src",
]
	.flatMap(listFiles)
	.filter((path) => /\.(ts|vue)$/.test(path))
	.flatMap((path) => findEscapes(path));

test("the count sees casts, other uses of any, and their reasons", () => {
	const code = [
		"const one = value as unknown as string;",
		"// The library's type lacks the member.",
		"const two = value as never;",
		"let three: any[];",
		"const four = [1] as const;",
		"const five = value as unknown[];",
	].join("\n");
	expect(findEscapes("example.ts", code)).toEqual([
		{ place: "example.ts:1", hasReason: false },
		{ place: "example.ts:3", hasReason: true },
		{ place: "example.ts:4", hasReason: false },
	]);
});

test("each cast to any, unknown or never has a comment above it that says why it is true", () => {
	const wrong = escapes.filter(({ hasReason }) => !hasReason);
	expect(wrong.map(({ place }) => place)).toEqual([]);
});

test(`there are at most ${MOST} of them`, () => {
	expect(escapes.map(({ place }) => place).slice(MOST)).toEqual([]);
});
