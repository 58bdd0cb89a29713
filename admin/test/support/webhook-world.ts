import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import {
	openReceiver,
	type Received,
	type TestReceiver,
	verifyToken,
} from "./receiver.ts";
import { createIntegration, createPartner } from "./records.ts";

export const CONFIGURATION = [
	{
		id: "lead_integration_settings",
		selected: [{ id: "unique_field_lead", value: "email" }],
	},
];
export const EXTERNAL_SETTINGS = {
	authorisation: [{ id: "token", value: "s3cret" }],
};
export const API_KEY = "key-of-the-crm";

export interface WebhookWorld {
	api: Api;
	partner: { uuid: string };
	receiver: TestReceiver;
	integration: { id: string; integration_uuid: string };
	claimsOf(request: Received): Promise<Record<string, unknown>>;
}

/** A service with its worker for the whole file; for each test a receiver and an integration of its own that wants everything. */
export function useWebhookWorld(): WebhookWorld {
	const world = {
		async claimsOf(request: Received) {
			const { integration, api } = world;
			const secret = integration.integration_uuid;
			return (await verifyToken(request, secret, api.clock())).payload;
		},
	} as WebhookWorld;
	beforeAll(async () => {
		world.api = await openApi({ allowHttp: true, allowPrivate: true });
		world.api.service.startWorker();
		world.partner = await createPartner(world.api);
	});
	afterAll(() => world.api.close());
	beforeEach(async () => {
		world.receiver = await openReceiver();
		world.integration = await createIntegration(world.api, {
			webhook_url: world.receiver.url,
			configuration: CONFIGURATION,
			external_settings: EXTERNAL_SETTINGS,
			api_key: API_KEY,
		});
	});
	afterEach(async () => {
		const params = { integration_id: world.integration.id };
		await world.api.call("deleteIntegration", { params, query: "?force=true" });
		await world.receiver.close();
	});
	return world;
}
