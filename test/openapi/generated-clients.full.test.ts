import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createClient as generateClient } from "@hey-api/openapi-ts";
import createFetchClient from "openapi-fetch";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "../kit/program/api.ts";

let api: Api;
// In the repository, so that the generated code finds openapi-fetch.
const folder = mkdtempSync(join(import.meta.dirname, ".clients-"));
beforeAll(async () => {
	api = await openApi();
});
afterAll(async () => {
	rmSync(folder, { recursive: true });
	await api.close();
});

/** Fetches the document, as a user who generates a client does. */
const fetchDocument = async () =>
	(await (await fetch(`${api.url}/openapi.json`)).json()) as never;

/** The compiler's errors in the files. */
function findProblems(...files: string[]): string[] {
	const program = ts.createProgram(files, {
		strict: true,
		noUncheckedIndexedAccess: true,
		skipLibCheck: true,
		noEmit: true,
		target: ts.ScriptTarget.ES2022,
		module: ts.ModuleKind.ESNext,
		moduleResolution: ts.ModuleResolutionKind.Bundler,
		allowImportingTsExtensions: true,
		lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
		types: [],
	});
	return ts
		.getPreEmitDiagnostics(program)
		.map(({ file, start, messageText }) => {
			const line = file?.getLineAndCharacterOfPosition(start ?? 0).line ?? -1;
			const text = ts.flattenDiagnosticMessageText(messageText, "\n");
			return `${file?.fileName}:${line + 1} ${text}`;
		});
}

const OPENAPI_FETCH = `
import type createClient from "openapi-fetch";
import type { paths } from "./types.ts";

export async function use(client: ReturnType<typeof createClient<paths>>): Promise<string[]> {
	const created = await client.POST("/v1/partners", { body: { name: "Globex", partner_type: "referral" } });
	if (!created.data) throw new Error(created.error.error.message);
	await client.POST("/v1/leads", { body: { partnership_uuid: created.data.uuid, company_name: "Initech" } });
	const leads = await client.GET("/v1/leads", { params: { query: { search: "initech", per_page: 5 } } });
	const missing = await client.GET("/v1/leads/{uuid}", { params: { path: { uuid: created.data.uuid } } });
	// @ts-expect-error no such operation
	client.PUT("/v1/leads/{uuid}", {});
	// @ts-expect-error partnership_uuid is required
	void (() => client.POST("/v1/leads", { body: { company_name: "Initech" } }));
	return [leads.data?.data[0]?.company_name ?? "", missing.error?.error.code ?? ""];
}
`;

test("openapi-typescript and openapi-fetch make a client that compiles and works", async () => {
	const types = astToString(await openapiTS(await fetchDocument()));
	const home = join(folder, "openapi-typescript");
	mkdirSync(home);
	const use = join(home, "use.ts");
	writeFileSync(join(home, "types.ts"), types);
	writeFileSync(use, OPENAPI_FETCH);
	expect(findProblems(use)).toEqual([]);

	const client = createFetchClient({
		baseUrl: api.url,
		headers: { authorization: `Bearer ${api.seeded.keys.full}` },
	});
	const made = await import(/* @vite-ignore */ use);
	expect(await made.use(client)).toEqual(["Initech", "not_found"]);
});

const HEY_API = `
import { createClient } from "./client/index.ts";
import { createLead, createPartner, getLead, listLeads, type LeadCreatedWebhookPayload } from "./index.ts";

export const companyOf = (payload: LeadCreatedWebhookPayload) => payload.lead.company_name;

export async function use(baseUrl: string, auth: string): Promise<string[]> {
	const client = createClient({ baseUrl, auth });
	const partner = await createPartner({ client, body: { name: "Umbrella", partner_type: "reseller" } });
	if (!partner.data) throw new Error(partner.error.error.message);
	await createLead({ client, body: { partnership_uuid: partner.data.uuid, company_name: "Hooli" } });
	const leads = await listLeads({ client, query: { search: "hooli" } });
	const missing = await getLead({ client, path: { uuid: partner.data.uuid } });
	// @ts-expect-error partnership_uuid is required
	void (() => createLead({ client, body: { company_name: "Hooli" } }));
	return [leads.data?.data[0]?.company_name ?? "", missing.error?.error.code ?? ""];
}
`;

test("@hey-api/openapi-ts makes a client that compiles and works", async () => {
	const home = join(folder, "hey-api");
	await generateClient({
		input: await fetchDocument(),
		output: { path: home },
		plugins: ["@hey-api/typescript", "@hey-api/sdk", "@hey-api/client-fetch"],
		logs: { level: "silent", file: false },
	});
	const use = join(home, "use.ts");
	writeFileSync(use, HEY_API);
	expect(findProblems(use)).toEqual([]);

	const made = await import(/* @vite-ignore */ use);
	expect(await made.use(api.url, api.seeded.keys.full)).toEqual([
		"Hooli",
		"not_found",
	]);
});
