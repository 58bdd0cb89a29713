import type { ServerResponse } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listenHttp } from "#kit/endpoints/receivers.ts";
import { type Api, openApi } from "#kit/program/api.ts";
import { createIntegration } from "../support/records.ts";

const AT_ONCE = 20;

let api: Api;
beforeAll(async () => {
	api = await openApi({ allowHttp: true, allowPrivate: true });
});
afterAll(() => api.close());

/** A receiver that answers when it is told to, and what sends to it. */
async function openHolding() {
	const held: ServerResponse[] = [];
	const { url } = await listenHttp((request, response) => {
		request.resume().on("end", () => held.push(response));
	});
	const { id } = await createIntegration(api, { webhook_url: url });
	return {
		holds: (count: number) => expect.poll(() => held.length).toBe(count),
		release() {
			for (const response of held.splice(0)) response.end();
		},
		test: () =>
			api.call("testIntegration", {
				params: { integration_id: id },
				body: { event_id: "lead_created" },
			}),
		probe: (init = {}) =>
			api.call("probeWebhookUrl", { body: { webhook_url: url }, ...init }),
	};
}

test.each([
	["test webhooks", "test", "probe"],
	["checks of webhook URLs", "probe", "test"],
] as const)(
	"a company has 20 %s at the same time; one more is refused in words until one has ended, others are not",
	async (noun, kind, otherKind) => {
		const receiver = await openHolding();
		const sending = Array.from({ length: AT_ONCE }, () => receiver[kind]());
		await receiver.holds(AT_ONCE);
		const refused = await receiver[kind]();
		expect(refused.status).toBe(429);
		expect(refused.headers.get("retry-after")).toBe("1");
		expect(refused.body.error).toEqual({
			code: "rate_limit_exceeded",
			message: `20 ${noun} are under way, the most at the same time: try again when one has ended`,
		});
		const stranger = (await api.addCompany()).keys.full;
		sending.push(receiver[otherKind](), receiver.probe({ key: stranger }));
		await receiver.holds(AT_ONCE + 2);
		receiver.release();
		for (const { status } of await Promise.all(sending))
			expect(status).toBe(200);
		const next = receiver[kind]();
		await receiver.holds(1);
		receiver.release();
		expect((await next).status).toBe(200);
	},
);
