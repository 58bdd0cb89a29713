/*
 * `npm run sdk:type-time`: measures how much longer the type checker takes for a file with the SDK than for the same file without it.
 * The programs take turns, so that a slow moment of the machine slows both.
 */
import { join } from "node:path";
import ts from "typescript";
import { median } from "../test/bench/kit/rounds.ts";

const ROUNDS = 7;
const FILE = join(import.meta.dirname, "../test/typed-by-sdk.ts");

const BASELINE = `
export const run = async (): Promise<string[]> => {
	const answer = await fetch("/v1/leads");
	const leads: { data: { company_name: string | null }[] } = await answer.json();
	return leads.data.map((lead) => lead.company_name ?? "");
};
`;
const WITH_SDK = `
import { createClient, items } from "@partnerwire/sdk";

const client = createClient({ baseUrl: "", apiKey: "" });
export const run = async (): Promise<string[]> => {
	const partner = await client.createPartner({ body: { name: "Globex", partner_type: "referral" } });
	await client.createLead({ body: { partnership_uuid: partner.uuid } });
	const names: string[] = [];
	for await (const lead of items(client.listLeads, { query: { search: "x" } })) names.push(lead.company_name ?? "");
	return names;
};
`;

const options: ts.CompilerOptions = {
	strict: true,
	noEmit: true,
	skipLibCheck: true,
	target: ts.ScriptTarget.ES2023,
	module: ts.ModuleKind.NodeNext,
	lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
	types: [],
};

function check(text: string) {
	const host = ts.createCompilerHost(options);
	const { getSourceFile, fileExists } = host;
	host.fileExists = (path) => path === FILE || fileExists(path);
	host.getSourceFile = (path, ...rest) =>
		path === FILE
			? ts.createSourceFile(path, text, ts.ScriptTarget.ES2023)
			: getSourceFile(path, ...rest);
	const start = performance.now();
	const program = ts.createProgram([FILE], options, host);
	const problems = ts.getPreEmitDiagnostics(program);
	if (problems.length > 0)
		throw new Error(ts.formatDiagnostics(problems, host));
	return {
		ms: performance.now() - start,
		files: program.getSourceFiles().length,
		types: program.getTypeCount(),
		instantiations: program.getInstantiationCount(),
	};
}

const runs = Array.from({ length: ROUNDS }, () => ({
	without: check(BASELINE),
	with: check(WITH_SDK),
}));
for (const kind of ["without", "with"] as const) {
	const { files, types, instantiations } = check(
		kind === "with" ? WITH_SDK : BASELINE,
	);
	const ms = median(runs.map((run) => run[kind].ms));
	console.log(
		`${kind} the SDK: ${Math.round(ms)} ms, ${files} files, ${types} types, ${instantiations} instantiations`,
	);
}
const more = median(runs.map((run) => run.with.ms - run.without.ms));
console.log(`the SDK takes ${Math.round(more)} ms more (median of ${ROUNDS})`);
