/** Code of a user, for any runtime. It uses the SDK and reports the results. `moved` is an address that redirects. */
export const SDK_PROGRAM = `
import { createClient, items } from "@partnerwire/sdk";

async function run({ baseUrl, apiKey, moved }) {
	const client = createClient({ baseUrl, apiKey });
	const partner = await client.createPartner({ body: { name: "Globex", partner_type: "referral" } });
	const lead = await client.createLead({ body: { partnership_uuid: partner.uuid, company_name: "Initech" } });
	const names = [];
	for await (const item of items(client.listLeads, { query: { search: "initech" } })) names.push(item.company_name);
	const missing = await client.getLead({ params: { uuid: partner.uuid } }).catch((error) => error.code);
	const refused = await client.deleteLeadNote({ params: { uuid: lead.uuid, subUuid: ".." } }).catch((error) => error.message);

	const own = globalThis.fetch;
	let seen = 0;
	globalThis.fetch = (...request) => { seen++; return own(...request); };
	await client.getLead({ params: { uuid: lead.uuid } });
	globalThis.fetch = own;

	const handed = createClient({ baseUrl, apiKey, fetch: globalThis.fetch });
	const found = await handed.getLead({ params: { uuid: lead.uuid } });

	const redirected = await createClient({ baseUrl: moved, apiKey })
		.createLead({ body: { partnership_uuid: partner.uuid } })
		.catch((error) => error.name + " " + error.code);
	return { names, missing, refused, seen, archived: found.archived_at, redirected };
}`;

export const SDK_RESULT = {
	names: ["Initech"],
	missing: "not_found",
	refused: "deleteLeadNote: path/subUuid: must be a UUID",
	seen: 1,
	archived: null,
	redirected: "ApiError internal_error",
};
