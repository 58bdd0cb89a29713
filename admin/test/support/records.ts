import type { Api } from "#kit/program/api.ts";
import type { Init } from "#kit/program/client.ts";

/** A uuid that is well-formed and nobody's. */
export const UNKNOWN_UUID = "0192a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b";

type Body = Record<string, unknown>;

async function created(api: Api, path: string, body: Body, init: Init) {
	const answer = await api.request("POST", path, { ...init, body });
	if (answer.status !== 201)
		throw new Error(`POST ${path}: ${JSON.stringify(answer.body)}`);
	return answer.body;
}

export const createPartner = (api: Api, body: Body = {}, init: Init = {}) =>
	created(
		api,
		"/v1/partners",
		{ name: "Globex", partner_type: "referral", ...body },
		init,
	);

export const createLead = (
	api: Api,
	partnershipUuid: string,
	body: Body = {},
	init: Init = {},
) =>
	created(
		api,
		"/v1/leads",
		{ partnership_uuid: partnershipUuid, company_name: "Initech", ...body },
		init,
	);

export const createDeal = (
	api: Api,
	leadUuid: string,
	body: Body = {},
	init: Init = {},
) => created(api, "/v1/deals", { lead_uuid: leadUuid, ...body }, init);

export const createNote = (
	api: Api,
	parent: "leads" | "deals",
	uuid: string,
	init: Init = {},
) =>
	created(api, `/v1/${parent}/${uuid}/notes`, { content: "Call back" }, init);

export const createIntegration = (api: Api, body: Body = {}, init: Init = {}) =>
	created(
		api,
		"/v1/integrations",
		{ label: "CRM", webhook_url: "https://hooks.example/in", ...body },
		init,
	);

export const createProduct = (api: Api, body: Body = {}, init: Init = {}) =>
	created(api, "/v1/products", { name: "Licence", ...body }, init);

/** One record of every kind, in the company of the given key. */
export async function createOneOfEach(api: Api, key: string) {
	const init = { key };
	// Another integration hears of the partner, so that the returned one stays as it was made.
	await createIntegration(api, { event_ids: ["partner_created"] }, init);
	const partner = await createPartner(api, {}, init);
	const lead = await createLead(api, partner.uuid, {}, init);
	const deal = await createDeal(api, lead.uuid, {}, init);
	const leadNote = await createNote(api, "leads", lead.uuid, init);
	const dealNote = await createNote(api, "deals", deal.uuid, init);
	const product = await createProduct(api, {}, init);
	const integration = await createIntegration(api, {}, init);
	const apiKey = await created(
		api,
		"/v1/api-keys",
		{ label: "Another", read: true },
		init,
	);
	const { body } = await api.request("GET", "/v1/webhook-events", init);
	const webhookEvent: { uuid: string } = body.data[0];
	return {
		partner,
		lead,
		deal,
		leadNote,
		dealNote,
		product,
		integration,
		apiKey,
		webhookEvent,
	};
}

export type OneOfEach = Awaited<ReturnType<typeof createOneOfEach>>;
