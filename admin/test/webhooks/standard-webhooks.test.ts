// Deliveries with the headers of Standard Webhooks, on both engines and through rotations (docs/standard-webhooks.md).
import { createReceiver } from "@partnerwire/receiver";
import { standardWebhooks } from "@partnerwire/receiver/standard";
import { Webhook } from "standardwebhooks";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Received } from "../support/receiver.ts";
import { createLead } from "../support/records.ts";
import { expectRefused } from "../support/row-counts.ts";
import { useWebhookWorld } from "../support/webhook-world.ts";

const HOUR_MS = 3_600_000;
const world = useWebhookWorld();
/** The package takes the system's clock. */
beforeEach(() => {
	vi.useFakeTimers({ toFake: ["Date"], now: world.api.clock() });
});
afterEach(() => {
	vi.useRealTimers();
});

const params = () => ({ integration_id: world.integration.id });
const update = (body: object) =>
	world.api.call("updateIntegration", { params: params(), body });
const switchOn = () => update({ standard_webhooks: true });
const reveal = async () =>
	(await world.api.call("revealIntegrationSecret", { params: params() })).body;

/** The secrets, by their `whsec_` forms, that the package finds a signature of in a request. */
function signersOf({ text, headers }: Received, ...secrets: string[]) {
	return secrets.filter((secret) => {
		try {
			new Webhook(secret).verify(text, headers as Record<string, string>);
			return true;
		} catch {
			return false;
		}
	});
}

const standardOf = ({ headers }: Received) =>
	Object.keys(headers).filter((name) => name.startsWith("webhook-"));

/** Advances the time of the service and of the package. */
function advance(ms: number) {
	world.api.clock.advance(ms);
	vi.setSystemTime(world.api.clock());
}

test("off by default: the token is all there is; on, each delivery is taken by the package, and the token stays", async () => {
	const { api, receiver, partner, claimsOf } = world;
	await createLead(api, partner.uuid);
	const [plain] = (await receiver.received(1)) as [Received];
	expect(standardOf(plain)).toEqual([]);

	const { body } = await switchOn();
	expect(body.standard_webhooks).toBe(true);
	await createLead(api, partner.uuid);
	const [, signed] = (await receiver.received(2)) as [Received, Received];
	const { standard_webhooks_secret: secret } = await reveal();
	expect(secret).toBe(
		`whsec_${Buffer.from(world.integration.integration_uuid).toString("base64")}`,
	);
	expect(signersOf(signed, secret)).toEqual([secret]);
	const claims = await claimsOf(signed);
	expect([
		signed.headers["webhook-id"],
		signed.headers["webhook-timestamp"],
	]).toEqual([claims.jti, String(claims.iat)]);

	const changed = { ...signed, text: signed.text.replace("{", "{ ") };
	expect(signersOf(changed, secret)).toEqual([]);
});

test("every attempt and every redelivery has the delivery's id, and the time of its own", async () => {
	const { api, receiver, partner } = world;
	await switchOn();
	receiver.answerWith(500);
	await createLead(api, partner.uuid);
	await receiver.received(1);
	receiver.answerWith(200);
	const uuid = receiver.requests[0]?.headers["webhook-id"];
	const read = async () =>
		(await api.request("GET", `/v1/webhook-events/${uuid}`)).body;
	await vi.waitFor(async () => expect((await read()).attempts).toHaveLength(1));
	advance(10_000);
	await api.request("POST", `/v1/webhook-events/${uuid}/redeliver`);
	const requests = await receiver.received(2);
	const { standard_webhooks_secret: secret } = await reveal();
	for (const request of requests)
		expect(signersOf(request, secret)).toEqual([secret]);
	expect(requests.map(({ headers }) => headers["webhook-id"])).toEqual([
		uuid,
		uuid,
	]);
	expect(
		new Set(requests.map(({ headers }) => headers["webhook-timestamp"])).size,
	).toBe(2);
	const { request } = await read();
	expect(request.headers).toMatchObject({
		authorization: "Bearer ***",
		"webhook-id": uuid,
		"webhook-signature": "v1,***",
	});
});

test("during a rotation both secrets sign, the next one first; after the cutover and a cancellation, one", async () => {
	const { api, receiver, partner } = world;
	await switchOn();
	let count = 0;
	const deliver = async () => {
		await createLead(api, partner.uuid);
		return (await receiver.received(++count))[count - 1] as Received;
	};
	const rotate = (atMs: number) =>
		api.call("rotateIntegrationSecret", {
			params: params(),
			body: { cutover_at: new Date(atMs).toISOString() },
		});

	await rotate(api.clock() + HOUR_MS);
	const given = await reveal();
	const old = given.standard_webhooks_secret;
	const cancelled = given.next_standard_webhooks_secret;
	expect(signersOf(await deliver(), old, cancelled)).toEqual([old, cancelled]);
	await api.call("cancelIntegrationRotation", { params: params() });
	expect(signersOf(await deliver(), old, cancelled)).toEqual([old]);

	await rotate(api.clock() + HOUR_MS);
	const next = (await reveal()).next_standard_webhooks_secret;
	const before = await deliver();
	expect(signersOf(before, old, next)).toEqual([old, next]);
	const [first = ""] = String(before.headers["webhook-signature"]).split(" ");
	const newest = {
		...before,
		headers: { ...before.headers, "webhook-signature": first },
	};
	expect(signersOf(newest, old, next)).toEqual([next]);

	advance(HOUR_MS);
	const after = await deliver();
	expect(signersOf(after, old, next)).toEqual([next]);
	expect(after.headers["webhook-signature"]).not.toContain(" ");
	expect(await reveal()).toMatchObject({
		standard_webhooks_secret: next,
		next_standard_webhooks_secret: null,
	});
});

test("a test webhook is signed too, and its report shows no signature", async () => {
	const { api, receiver } = world;
	await switchOn();
	const { body } = await api.call("testIntegration", {
		params: params(),
		body: { event_id: "deal_created" },
	});
	const [request] = (await receiver.received(1)) as [Received];
	const { standard_webhooks_secret: secret } = await reveal();
	expect(signersOf(request, secret)).toEqual([secret]);
	expect(body.request.headers["webhook-signature"]).toBe("v1,***");
	expect(JSON.stringify(body)).not.toContain(
		request.headers["webhook-signature"],
	);
});

test("our receiver takes a delivery without its token, once", async () => {
	const { api, receiver, partner } = world;
	await switchOn();
	const lead = await createLead(api, partner.uuid);
	const [{ headers, text }] = (await receiver.received(1)) as [Received];
	const { authorization: _token, ...others } = headers;
	const { standard_webhooks_secret: secret } = await reveal();
	const seen: unknown[] = [];
	const ours = createReceiver({
		secret,
		standard: standardWebhooks(({ lead: taken, claims }) => {
			seen.push([taken?.uuid, claims.jti]);
		}),
	});
	const send = async () => {
		const init = {
			method: "POST",
			headers: others as Record<string, string>,
			body: text,
		};
		return (await ours.fetch(new Request("http://x/", init))).json();
	};
	expect(await send()).toEqual({ ok: true, handled: true });
	expect(await send()).toEqual({ ok: true, duplicate: true });
	expect(seen).toEqual([[lead.uuid, headers["webhook-id"]]]);
});

test("it is a boolean of the integration, off unless it is said, and its change is in the audit log", async () => {
	const { api, integration } = world;
	expect(integration).toMatchObject({ standard_webhooks: false });
	for (const standard_webhooks of [null, "true", 1])
		await expectRefused(
			api,
			() => update({ standard_webhooks }),
			/^body\/standard_webhooks: /,
		);
	const { body: made } = await api.call("createIntegration", {
		body: {
			label: "x",
			webhook_url: "https://x.example/",
			standard_webhooks: true,
		},
	});
	expect(made.standard_webhooks).toBe(true);
	await switchOn();
	const { body } = await api.request(
		"GET",
		`/v1/audit-log?entity_uuid=${integration.id}&action=updated`,
	);
	expect(body.data).toMatchObject([
		{ changes: [{ field: "standard_webhooks", old: false, new: true }] },
	]);
});
