import ts from "typescript";

/** Globals that tests, browsers, runtimes and tracing tools replace, or that must be called with their own `this`. */
const GLOBALS = new Set([
	...["fetch", "crypto", "performance", "Date", "console"],
	...["setTimeout", "clearTimeout", "setInterval", "clearInterval"],
	...["setImmediate", "clearImmediate", "queueMicrotask"],
]);

/**
 * Where a text takes one of the globals, or a method of it, as a value instead of calling it: `clock = Date.now`,
 * `{ fetch: globalThis.fetch }`, `const { subtle } = crypto`. What replaces the global later is not seen there.
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

/** Declares a name that then hides the global's. */
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
	const { parent } = toOutermost(node);
	const outermost = toOutermost(node);
	if (ts.isCallExpression(parent) || ts.isNewExpression(parent))
		return parent.expression !== outermost;
	if (ts.isTypeOfExpression(parent)) return false;
	return !(
		ts.isBinaryExpression(parent) &&
		parent.operatorToken.kind === ts.SyntaxKind.InstanceOfKeyword
	);
}

/** Read as a value: neither a name that is declared, nor a member's. `globalThis.fetch` reads `fetch`. */
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

/** `globalThis.crypto.subtle` of `crypto`: the whole path of members. */
function toOutermost(node: ts.Node): ts.Node {
	const { parent } = node;
	const isPath =
		(ts.isPropertyAccessExpression(parent) &&
			(parent.expression === node || parent.name === node)) ||
		ts.isNonNullExpression(parent);
	return isPath ? toOutermost(parent) : node;
}
