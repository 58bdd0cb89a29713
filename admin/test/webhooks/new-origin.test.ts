// Secrets of an integration stay with the origin that they were given for: docs/decisions.md#new-origin-of-a-webhook-url.
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { createMcp } from "../support/mcp-messages.ts";
import { createIntegration } from "../support/records.ts";

let api: Api;
beforeAll(async () => {
	api = await openApi({ allowHttp: true });
});
afterAll(() => api.close());

const SECRETS = {
	api_key: "key-of-the-crm",
	external_settings: { authorisation: [{ id: "token", value: "s3cret" }] },
};
const BOTH = ["api_key", "external_settings"];
const CRM = "https://crm.example.com/hook";

const ROWS: [string, string, { api_key?: string | null }, string[]][] = [
	["another path", "https://crm.example.com/v2?x=1", {}, []],
	["the port that it has anyway", "https://crm.example.com:443/hook", {}, []],
	["capitals", "https://CRM.example.com/hook", {}, []],
	["another host", "https://evil.example.com/hook", {}, BOTH],
	["a subdomain", "https://a.crm.example.com/hook", {}, BOTH],
	["another port", "https://crm.example.com:8443/hook", {}, BOTH],
	["another scheme", "http://crm.example.com/hook", {}, BOTH],
	[
		"one secret given with it",
		"https://b.example.com/",
		{ api_key: "new" },
		["external_settings"],
	],
	["both given with it", "https://b.example.com/", SECRETS, []],
	[
		"one taken away with it",
		"https://b.example.com/",
		{ api_key: null },
		["external_settings"],
	],
];
test.each(ROWS)(
	"a URL with %s: the secrets that it loses are named and audited",
	async (_what, webhook_url, given, dropped) => {
		const made = await createIntegration(api, { webhook_url: CRM, ...SECRETS });
		const { status, body } = await api.call("updateIntegration", {
			params: { integration_id: made.id },
			body: { webhook_url, ...given },
		});
		expect([status, body.dropped_secrets]).toEqual([200, dropped]);
		const hasKey = !dropped.includes("api_key") && given.api_key !== null;
		expect([body.has_api_key, body.has_external_settings]).toEqual([
			hasKey,
			!dropped.includes("external_settings"),
		]);
		const path = `/v1/audit-log?entity_uuid=${made.id}&action=updated`;
		const [{ changes }] = (await api.request("GET", path)).body.data;
		expect(changes).toContainEqual(
			expect.objectContaining({ field: "webhook_url", new: webhook_url }),
		);
		for (const name of dropped)
			expect(changes).toContainEqual(
				expect.objectContaining({
					field: `has_${name}`,
					old: true,
					new: false,
				}),
			);
	},
);

test("a URL without secrets loses none, and other changes keep them", async () => {
	const plain = await createIntegration(api, { webhook_url: CRM });
	const made = await createIntegration(api, { webhook_url: CRM, ...SECRETS });
	const update = async (id: string, body: object) =>
		(
			await api.call("updateIntegration", {
				params: { integration_id: id },
				body,
			})
		).body;
	expect(
		(await update(plain.id, { webhook_url: "https://b.example.com/" }))
			.dropped_secrets,
	).toEqual([]);
	expect(await update(made.id, { label: "CRM 2" })).toMatchObject({
		has_api_key: true,
		has_external_settings: true,
		dropped_secrets: [],
	});
});

test("a URL of another origin takes no secrets with it, for an assistant either", async () => {
	const { id: integration_id } = await createIntegration(api, {
		webhook_url: CRM,
		api_key: "key-of-the-crm",
	});
	const [answer = ""] = await createMcp(() => api).call("updateIntegration", {
		integration_id,
		webhook_url: "https://evil.example.com/hook",
	});
	expect(JSON.parse(answer)).toMatchObject({
		has_api_key: false,
		dropped_secrets: ["api_key"],
	});
});
