import { join } from "node:path";
import { OPERATION_IDS, operations } from "@partnerwire/contract";
import ts from "typescript";
import { expect, test } from "vitest";

/* An editor shows the comment of a method where it is called. TypeScript reads it here as an editor does. */

const FILE = join(import.meta.dirname, "typed-in-an-editor.ts");
const TEXT = `
import { createClient } from "@partnerwire/sdk";
export const client = createClient({ baseUrl: "", apiKey: "" });
client.createLead;
`;

function openEditor(): ts.LanguageService {
	const options: ts.CompilerOptions = {
		strict: true,
		target: ts.ScriptTarget.ES2023,
		module: ts.ModuleKind.NodeNext,
		types: [],
		allowImportingTsExtensions: true,
		noEmit: true,
		customConditions: ["partnerwire-source"],
	};
	return ts.createLanguageService({
		...ts.sys,
		useCaseSensitiveFileNames: () => ts.sys.useCaseSensitiveFileNames,
		getCompilationSettings: () => options,
		getScriptFileNames: () => [FILE],
		getScriptVersion: () => "1",
		getScriptSnapshot(path) {
			const text = path === FILE ? TEXT : ts.sys.readFile(path);
			return text === undefined
				? undefined
				: ts.ScriptSnapshot.fromString(text);
		},
		getCurrentDirectory: () => import.meta.dirname,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
	});
}

test("an editor tells each method's summary, route, permission and errors", () => {
	const editor = openEditor();
	const at = TEXT.lastIndexOf("createLead");
	const shown = editor.getQuickInfoAtPosition(FILE, at);
	expect(ts.displayPartsToString(shown?.documentation)).toContain(
		"Create a lead",
	);

	const program = editor.getProgram() as ts.Program;
	const checker = program.getTypeChecker();
	const source = program.getSourceFile(FILE) as ts.SourceFile;
	const last = source.statements.at(-1) as ts.ExpressionStatement;
	const { expression } = last.expression as ts.PropertyAccessExpression;
	const methods = checker.getPropertiesOfType(
		checker.getTypeAtLocation(expression),
	);
	expect(methods.map(({ name }) => name)).toEqual(OPERATION_IDS);
	for (const method of methods) {
		const { summary, permission, module, path, ...operation } =
			operations[method.name as (typeof OPERATION_IDS)[number]];
		const comment = ts.displayPartsToString(
			method.getDocumentationComment(checker),
		);
		expect(comment.split("\n\n")[0]).toBe(summary);
		expect(comment).toContain(`\`${operation.method} ${path}\``);
		expect(comment).toContain(`Needs a key with the ${permission} permission`);
		if (module) expect(comment).toContain(`Needs the module \`${module}\``);
		const [throws] = method.getJsDocTags(checker);
		expect(throws?.name).toBe("throws");
		const codes = ts.displayPartsToString(throws?.text);
		expect(codes).toMatch(/^ApiError: .*unauthorized, forbidden, /);
		expect(codes.includes("module_disabled")).toBe(module !== null);
		expect(codes).toContain(path.includes("{") ? "not_found" : "");
	}
});
