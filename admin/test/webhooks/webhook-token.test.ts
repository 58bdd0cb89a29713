import { decodeProtectedHeader } from "jose";
import { expect, test } from "vitest";
import { type Received, verifyToken } from "../support/receiver.ts";
import { createLead } from "../support/records.ts";
import {
	API_KEY,
	EXTERNAL_SETTINGS,
	useWebhookWorld,
} from "../support/webhook-world.ts";

const world = useWebhookWorld();

test("A102 the token is HS256, verifies with the integration's uuid and with no other secret", async () => {
	const { api, receiver, integration, partner, claimsOf } = world;
	await createLead(api, partner.uuid);
	const [request] = (await receiver.received(1)) as [Received];
	expect(request.headers.authorization).toMatch(
		/^Bearer [\w-]+\.[\w-]+\.[\w-]+$/,
	);
	const token = request.headers.authorization?.slice(7) as string;
	expect(decodeProtectedHeader(token)).toEqual({ alg: "HS256", typ: "JWT" });
	await expect(claimsOf(request)).resolves.toBeDefined();
	for (const other of [
		integration.id,
		integration.integration_uuid.toUpperCase(),
	])
		await expect(verifyToken(request, other, api.clock())).rejects.toThrow(
			/signature/,
		);
});

test("A103 A104 A107 the claims are present, times are in seconds, and the event is the one emitted", async () => {
	const { api, receiver, partner, claimsOf } = world;
	await createLead(api, partner.uuid);
	const [request] = (await receiver.received(1)) as [Received];
	const claims = await claimsOf(request);
	expect(claims).toMatchObject({
		company_uuid: api.seeded.company_uuid,
		user_uuid: api.seeded.user_uuid,
		event_id: "lead_created",
		iat: Math.floor(api.clock() / 1000),
		exp: Math.floor(api.clock() / 1000) + 3600,
		sequence: 1,
	});
	expect(claims.jti).toMatch(/^[0-9a-f-]{36}$/);
	expect(claims.payload_sha256).toMatch(/^[\w-]{43}$/);
});

test("A105 external_settings and api_key are claims when the integration has them, and only then", async () => {
	const { api, receiver, integration, partner, claimsOf } = world;
	await createLead(api, partner.uuid);
	const [first] = (await receiver.received(1)) as [Received];
	expect(await claimsOf(first)).toMatchObject({
		external_settings: EXTERNAL_SETTINGS,
		api_key: API_KEY,
	});
	await api.call("updateIntegration", {
		params: { integration_id: integration.id },
		body: { external_settings: null, api_key: null },
	});
	await createLead(api, partner.uuid);
	const [, second] = (await receiver.received(2)) as [Received, Received];
	const claims = await claimsOf(second);
	expect(claims).not.toHaveProperty("external_settings");
	expect(claims).not.toHaveProperty("api_key");
});

test("A110 delivery is a POST of application/json", async () => {
	const { api, receiver, partner } = world;
	await createLead(api, partner.uuid);
	const [request] = (await receiver.received(1)) as [Received];
	expect(request.method).toBe("POST");
	expect(request.headers["content-type"]).toBe("application/json");
	expect(request.headers["content-length"]).toBe(
		String(Buffer.byteLength(request.text)),
	);
});
