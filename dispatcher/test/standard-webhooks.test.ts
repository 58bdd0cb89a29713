// The headers that the dispatcher adds for Standard Webhooks, verified by their own package.
import { readFileSync } from "node:fs";
import type { EventBody } from "@partnerwire/wire";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it, vi } from "vitest";
import { listenHttp } from "#kit/endpoints/receivers.ts";
import { send, sendWithRetry } from "../src/index.ts";
import { seal } from "../src/sign/seal.ts";
import { openWire, SECRET, WIRES } from "./support/wires.ts";

const OTHER = "0b7a7c52-31a4-4f6d-8a11-5c1f3d2e4b60";
const NOW_MS = Date.UTC(2026, 10, 27, 22, 0, 0, 999);
const NOW_S = Math.floor(NOW_MS / 1000);
const ID = "0197a4a0-0000-7000-8000-0000000000d1";
const CLAIMS = {
	company_uuid: "01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01",
	user_uuid: "01934f2a-7c01-7c44-9b52-0d7e6a1f3c02",
	event_id: "lead_created",
	iat: NOW_S,
	exp: NOW_S + 60,
};
const toStandard = (secret: string) =>
	`whsec_${Buffer.from(secret).toString("base64")}`;

/** Verifies by the package of Standard Webhooks, whose clock is the system's. Throws for a bad signature. */
function verify(secret: string, body: string, headers: object, atMs = NOW_MS) {
	vi.useFakeTimers({ toFake: ["Date"], now: atMs });
	try {
		const verifier = new Webhook(toStandard(secret));
		verifier.verify(body, headers as Record<string, string>, {
			jsonParse: false,
		});
	} finally {
		vi.useRealTimers();
	}
}

const toUnsigned = (body: string, secrets?: readonly string[]) => ({
	url: "https://x.example/",
	secret: SECRET,
	claims: CLAIMS,
	payloadSha256: true,
	body,
	standard: secrets && { id: ID, secrets },
});

/** A receiver that keeps headers and body of what it was sent, and answers with them. */
async function openEcho(status = 200) {
	const requests: { headers: Record<string, string>; body: string }[] = [];
	const { url } = await listenHttp(async (request, response) => {
		let body = "";
		for await (const chunk of request.setEncoding("utf8")) body += chunk;
		const headers = request.headers as Record<string, string>;
		requests.push({ headers, body });
		const whsec = toStandard(SECRET);
		response.writeHead(status).end(JSON.stringify({ headers, whsec }));
	});
	return { url, requests };
}

describe("the headers of Standard Webhooks", () => {
	it("are taken by the package, whatever the body and the secret, and by no other secret, body, time or id", () => {
		const secret = fc
			.string({ minLength: 1 })
			.filter((text) => text.trim() !== "");
		const property = fc.property(
			fc.string({ unit: "binary" }).filter((text) => text !== ""),
			secret,
			(text, key) => {
				// Lone surrogates have no bytes: what is sent is what the bytes say.
				const body = Buffer.from(text).toString();
				const { headers = {} } = seal(toUnsigned(body, [key]));
				verify(key, body, headers);
				for (const [change, changed] of [
					[`${key}x`, headers],
					[key, { ...headers, "webhook-id": `${ID}0` }],
					[key, { ...headers, "webhook-timestamp": String(NOW_S - 1) }],
				] as const)
					expect(() => verify(change, body, changed)).toThrow("No matching");
				expect(() => verify(key, `${body}x`, headers)).toThrow("No matching");
			},
		);
		fc.assert(property, { numRuns: 200 });
	});

	it("hold one signature for each secret, the newest first, and each verifies", () => {
		const body = '{"lead":{}}';
		const { headers = {} } = seal(toUnsigned(body, [OTHER, SECRET]));
		for (const secret of [OTHER, SECRET]) verify(secret, body, headers);
		const alone = seal(toUnsigned(body, [OTHER])).headers;
		expect(headers["webhook-signature"]?.split(" ")[0]).toBe(
			alone?.["webhook-signature"],
		);
	});

	it("change nothing else of a request, and are not there unless asked for", () => {
		const body = '{"lead":{}}';
		const plain = seal(toUnsigned(body));
		expect(Object.keys(plain)).toEqual([
			"url",
			"token",
			"body",
			"claims",
			"secrets",
		]);
		const {
			headers: _headers,
			secrets: _secrets,
			...others
		} = seal(toUnsigned(body, [SECRET]));
		expect(plain).toMatchObject(others);
	});
});

const fixture = new URL(
	"../../fixtures/events/lead_created.json",
	import.meta.url,
);
const { lead, configuration } = JSON.parse(
	readFileSync(fixture, "utf8"),
) as EventBody<"lead_created">;
const options = {
	secret: SECRET,
	event: "lead_created",
	entity: lead,
	configuration,
	companyUuid: CLAIMS.company_uuid,
	userUuid: CLAIMS.user_uuid,
	clock: () => NOW_MS,
	standardWebhooks: true,
} as const;

describe.each(WIRES)("a wire %s", (_, open) => {
	it("sends them with the token, over the bytes that it sends", async () => {
		const { url, requests } = await openEcho();
		const wire = open();
		await send({ ...options, url, wire, jti: ID });
		await send({ ...options, url, wire, jti: ID, standardWebhooks: false });
		const [signed, plain] = requests;
		verify(SECRET, signed?.body ?? "", signed?.headers ?? {});
		expect(signed?.headers).toMatchObject({
			authorization: plain?.headers.authorization,
			"webhook-id": ID,
			"webhook-timestamp": String(NOW_S),
		});
		expect(Object.keys(plain?.headers ?? {}).join()).not.toContain("webhook-");
	});

	it("keeps none of it that a receiver echoes: not the signature, and not the secret in its whsec_ form", async () => {
		const { url, requests } = await openEcho(500);
		const { responseBody } = await send({ ...options, url, wire: open() });
		const sent = requests[0]?.headers["webhook-signature"] ?? "";
		expect(sent).toMatch(/^v1,/);
		for (const secret of [sent, sent.slice(3), toStandard(SECRET).slice(6)])
			expect(responseBody).not.toContain(secret);
		expect(responseBody).toContain("webhook-signature");
	});
});

it("each attempt has the same id and body, and the time of its own", async () => {
	const { url, requests } = await openEcho(500);
	let nowMs = NOW_MS;
	await sendWithRetry(
		{
			...options,
			url,
			wire: openWire(),
			jti: false,
			clock: () => {
				nowMs += 7_000;
				return nowMs;
			},
		},
		{ retries: 2, minDelayMs: 1, maxDelayMs: 1 },
	);
	expect(requests).toHaveLength(3);
	for (const { headers, body } of requests) {
		const timeS = Number(headers["webhook-timestamp"]);
		verify(SECRET, body, headers, timeS * 1000);
	}
	const valuesOf = (name: string) =>
		new Set(requests.map(({ headers }) => headers[name]));
	expect(valuesOf("webhook-id").size).toBe(1);
	expect(valuesOf("webhook-timestamp").size).toBe(3);
});
