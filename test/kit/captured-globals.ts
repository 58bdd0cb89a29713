import ts from "typescript";

/** Globals that tests, browsers, runtimes and tracing tools replace, or that must be called with their own `this`. */
const GLOBALS = new Set([
	...["fetch", "crypto", "performance", "Date", "Math", "console"],
	...["setTimeout", "clearTimeout", "setInterval", "clearInterval"],
	...["setImmediate", "clearImmediate", "queueMicrotask"],
]);

/**
 * Finds places where code uses one of the globals, or its method, as a value instead of calling it: `clock = Date.now`,
 * `{ fetch: globalThis.fetch }`, `const { subtle } = crypto`. A later replacement of the global has no effect there.
 */
export function findCapturedGlobals(text: string): string[] {
	const source = ts.createSourceFile(
		"x.ts",
		text,
		ts.ScriptTarget.Latest,
		true,
	);
	const own = new Set<string>();
	const found: ts.Node[] = [];

	const visit = (node: ts.Node): void => {
		if (ts.isTypeNode(node)) return;
		if (isBinding(node) && node.name && ts.isIdentifier(node.name))
			own.add(node.name.text);
		if (ts.isIdentifier(node) && isGlobalAsValue(node)) found.push(node);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return found
		.filter((node) => !own.has(node.getText()))
		.map((node) => toOutermost(node).parent.getText().split("\n")[0] as string);
}

/** Does it declare a name that hides the global? */
const isBinding = (
	node: ts.Node,
): node is ts.Node & { readonly name?: ts.Node } =>
	ts.isVariableDeclaration(node) ||
	ts.isParameter(node) ||
	ts.isBindingElement(node) ||
	ts.isFunctionDeclaration(node) ||
	ts.isImportSpecifier(node) ||
	ts.isImportClause(node) ||
	ts.isNamespaceImport(node);

function isGlobalAsValue(node: ts.Identifier): boolean {
	if (!GLOBALS.has(node.text) || !isReference(node)) return false;
	const outermost = toOutermost(node);
	const { parent } = outermost;
	// The rest of Math is pure.
	if (node.text === "Math" && outermost.getText() !== "Math.random")
		return false;
	if (ts.isCallExpression(parent) || ts.isNewExpression(parent))
		return parent.expression !== outermost;
	if (ts.isTypeOfExpression(parent)) return false;
	return !(
		ts.isBinaryExpression(parent) &&
		parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
	);
}

/** Is it read as a value? Declared names and members are not; `globalThis.fetch` reads `fetch`. */
function isReference(node: ts.Identifier): boolean {
	const { parent } = node;
	if (ts.isPropertyAccessExpression(parent) && parent.name === node)
		return parent.expression.getText() === "globalThis";
	if (ts.isShorthandPropertyAssignment(parent)) return true;
	return (
		!("name" in parent && parent.name === node) &&
		!("propertyName" in parent && parent.propertyName === node)
	);
}

/** The whole path of members, such as `globalThis.crypto.subtle` for `crypto`. */
function toOutermost(node: ts.Node): ts.Node {
	const { parent } = node;
	const isPath =
		(ts.isPropertyAccessExpression(parent) &&
			(parent.expression === node || parent.name === node)) ||
		ts.isNonNullExpression(parent);
	return isPath ? toOutermost(parent) : node;
}
