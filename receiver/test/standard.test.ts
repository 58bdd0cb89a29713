import { gzipSync } from "node:zlib";
import {
	createReceiver,
	PermanentFailure,
	type ReceiverOptions,
} from "@partnerwire/receiver";
import { sqliteInbox } from "@partnerwire/receiver/sqlite";
import {
	type StandardContext,
	standardWebhooks,
} from "@partnerwire/receiver/standard";
import fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, test } from "vitest";
import {
	BAD,
	BODY,
	GOOD,
	NOW_MS,
	NOW_S,
	OTHER_SECRET,
	SECRET,
} from "#kit/endpoints/tokens.ts";
import { createTempFolder } from "#kit/temp-folder.ts";
import { type BodySource, fromRequest } from "../src/common/incoming.ts";
import { resolveOptions } from "../src/options.ts";
import { createPipeline } from "../src/pipeline.ts";
import { hmac as nodePort } from "../src/verify/crypto-node.ts";
import { hmac as webPort } from "../src/verify/crypto-web.ts";
import type { PlatformCrypto } from "../src/verify/platform-crypto.ts";

const ID = "0197a4a0-0000-7000-8000-0000000000d1";
const toStandard = (secret: string | Uint8Array) =>
	`whsec_${Buffer.from(secret as string).toString("base64")}`;

interface Signed {
	id?: string;
	timestampS?: number;
	body?: string;
	secret?: string;
}

/** The headers, signed by the package of Standard Webhooks. */
function sign({
	id = ID,
	timestampS = NOW_S,
	body = BODY,
	secret = toStandard(SECRET),
}: Signed = {}) {
	const at = new Date(timestampS * 1000);
	return {
		"webhook-id": id,
		"webhook-timestamp": String(timestampS),
		"webhook-signature": new Webhook(secret).sign(id, at, body),
	};
}

const toRequest = (
	headers: Record<string, string>,
	body: BodyInit = BODY,
): Request => new Request("http://x/hook", { method: "POST", headers, body });

/** A receiver on one of the two platforms, and what its handlers saw. */
function open(
	options: Partial<ReceiverOptions> = {},
	platform: PlatformCrypto = nodePort as PlatformCrypto,
	work: (context: StandardContext) => unknown = () => {},
) {
	const runs: StandardContext[] = [];
	const log: string[] = [];
	const byToken: unknown[] = [];
	const o = resolveOptions({
		secret: SECRET,
		clock: () => NOW_MS,
		log: (line) => log.push(line),
		standard: standardWebhooks((context) => {
			runs.push(context);
			return work(context);
		}),
		...options,
	});
	const handlers = new Map([
		["deal_updated", [(context: unknown) => byToken.push(context)]],
	]);
	const handle = createPipeline(o, handlers, platform);
	const send = async (headers: Record<string, string>, body?: BodyInit) => {
		const verdict = await handle(fromRequest(toRequest(headers, body)));
		return [verdict.status, verdict.reason ?? verdict.outcome];
	};
	return { runs, log, byToken, handle, send };
}

const MALFORMED = [401, "TOKEN_MALFORMED"];
const INVALID = [401, "SIGNATURE_INVALID"];
const HANDLED = [200, "handled"];

/** Changes the last character that holds no padding, which its decoder would ignore. */
const respell = (mac: string) =>
	mac.replace(
		/(.)=$/,
		(_, last) => `${String.fromCharCode(last.charCodeAt(0) + 1)}=`,
	);

describe.each([
	["on Node", nodePort as PlatformCrypto],
	["elsewhere", webPort as PlatformCrypto],
])("%s, without a token", (_, platform) => {
	test("what the package signs is handled, and the handler knows what is signed and no more", async () => {
		const { runs, send, byToken } = open({}, platform);
		expect(await send(sign())).toEqual(HANDLED);
		expect(runs).toEqual([
			expect.objectContaining({
				deal: JSON.parse(BODY).deal,
				eventId: undefined,
				claims: {
					company_uuid: "",
					user_uuid: "",
					event_id: "",
					jti: ID,
					iat: NOW_S,
					exp: NOW_S + 300,
				},
				issuedAt: new Date(NOW_MS),
				bodyBound: true,
				secretIndex: 0,
				sequence: undefined,
			}),
		]);
		expect(byToken).toEqual([]);
	});

	test("the specification's example has a good signature, and only with its own secret and body", async () => {
		const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
		const headers = {
			"webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
			"webhook-timestamp": "1614265330",
			"webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
		};
		const at = { clock: () => 1_614_265_330_000 };
		const { send } = open({ secret, ...at }, platform);
		// The body is none of ours, which only a good signature lets it find out.
		expect(await send(headers, '{"test": 2432232314}')).toEqual([
			400,
			"INVALID_SHAPE",
		]);
		expect(await send(headers, '{"test": 2432232315}')).toEqual(INVALID);
		const others = open(at, platform);
		expect(await others.send(headers, '{"test": 2432232314}')).toEqual(INVALID);
	});

	test("whatever the body, id, time and secret: the package's signature is good, and none with a change", async () => {
		const key = fc.oneof(
			fc.uuid().map((uuid) => ({ secret: uuid, key: toStandard(uuid) })),
			fc
				.uint8Array({ minLength: 24, maxLength: 64 })
				.map(toStandard)
				.map((secret) => ({ secret, key: secret })),
		);
		const record = fc.dictionary(fc.string(), fc.jsonValue());
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					lead: record,
					id: fc.stringMatching(/^[!-\-/-~]{1,64}$/),
					timestampS: fc.integer({ min: NOW_S - 300, max: NOW_S + 300 }),
					key,
					spaces: fc.nat(3),
				}),
				async ({ lead, id, timestampS, key: { secret, key }, spaces }) => {
					const body = JSON.stringify(
						{ lead, configuration: [] },
						null,
						spaces,
					);
					const { send, runs } = open({ secret, dedup: false }, platform);
					const headers = sign({ id, timestampS, body, secret: key });
					expect(await send(headers, body)).toEqual(HANDLED);
					expect(runs[0]?.lead).toEqual(JSON.parse(body).lead);
					const later = timestampS === NOW_S ? NOW_S - 1 : NOW_S;
					for (const changed of [
						{ ...headers, "webhook-id": `${id}0` },
						{ ...headers, "webhook-timestamp": String(later) },
						sign({ id, timestampS, body: `${body} `, secret: key }),
						sign({ id, timestampS, body, secret: toStandard(OTHER_SECRET) }),
					])
						expect(await send(changed, body)).toEqual(INVALID);
				},
			),
			{ numRuns: 100 },
		);
	});

	test.each([
		["an id that is too long", { "webhook-id": "x".repeat(257) }, MALFORMED],
		["an id with a dot", { "webhook-id": "a.1" }, MALFORMED],
		["two ids", { "webhook-id": `${ID}, ${ID}` }, MALFORMED],
		["a time with a fraction", { "webhook-timestamp": "1.5" }, MALFORMED],
		["a time with a sign", { "webhook-timestamp": "-1" }, MALFORMED],
		[
			"a time with a zero before it",
			{ "webhook-timestamp": `0${NOW_S}` },
			MALFORMED,
		],
		["a time with text", { "webhook-timestamp": `${NOW_S}s` }, MALFORMED],
		["a time in milliseconds", { "webhook-timestamp": `${NOW_MS}` }, MALFORMED],
		[
			"a time with 1,000 digits",
			{ "webhook-timestamp": "1".repeat(1_000) },
			MALFORMED,
		],
		[
			"signatures that are too long",
			{
				"webhook-signature": `${sign()["webhook-signature"]}${" v1,x".repeat(100)}`,
			},
			MALFORMED,
		],
		[
			"a time of 301 s ago",
			sign({ timestampS: NOW_S - 301 }),
			[401, "TOKEN_EXPIRED"],
		],
		["a time in 301 s", sign({ timestampS: NOW_S + 301 }), [401, "IAT_FUTURE"]],
		["a time of 300 s ago", sign({ timestampS: NOW_S - 300 }), HANDLED],
		["a time in 300 s", sign({ timestampS: NOW_S + 300 }), HANDLED],
		[
			"another version",
			{
				"webhook-signature": sign()["webhook-signature"].replace("v1,", "v1a,"),
			},
			INVALID,
		],
		[
			"no version",
			{ "webhook-signature": sign()["webhook-signature"].slice(3) },
			INVALID,
		],
		[
			"another spelling of the signature",
			{ "webhook-signature": respell(sign()["webhook-signature"]) },
			INVALID,
		],
		[
			"a signature without padding",
			{ "webhook-signature": sign()["webhook-signature"].slice(0, -1) },
			INVALID,
		],
		["an empty signature", { "webhook-signature": "v1," }, INVALID],
		[
			"another's signature",
			sign({ secret: toStandard(OTHER_SECRET) }),
			INVALID,
		],
		[
			"nine others' signatures before the right one",
			{
				"webhook-signature": `${`v1,${"A".repeat(43)}= `.repeat(9)}${sign()["webhook-signature"]}`,
			},
			HANDLED,
		],
		[
			"another version's beside the right one",
			{
				"webhook-signature": `v1a,${"A".repeat(86)}== ${sign()["webhook-signature"]}`,
			},
			HANDLED,
		],
		["no id", { "webhook-id": "" }, [401, "TOKEN_MISSING"]],
		["no time", { "webhook-timestamp": "" }, [401, "TOKEN_MISSING"]],
		["no signature", { "webhook-signature": "" }, [401, "TOKEN_MISSING"]],
	])("%s", async (_name, changed, expected) => {
		const { send, runs } = open({}, platform);
		expect(await send({ ...sign(), ...changed })).toEqual(expected);
		expect(runs).toHaveLength(expected === HANDLED ? 1 : 0);
	});

	test("each of several secrets verifies, and the handler knows which", async () => {
		const { send, runs } = open({ secret: [SECRET, OTHER_SECRET] }, platform);
		expect(await send(sign({ secret: toStandard(OTHER_SECRET) }))).toEqual(
			HANDLED,
		);
		expect(runs[0]?.secretIndex).toBe(1);
	});

	test("a secret in its whsec_ form verifies tokens too", async () => {
		const { send, byToken } = open({ secret: toStandard(SECRET) }, platform);
		expect(await send({ authorization: `Bearer ${GOOD}` })).toEqual(HANDLED);
		expect(await send({ authorization: `Bearer ${BAD}` })).toEqual(INVALID);
		expect(byToken).toHaveLength(1);
	});
});

test("with a token beside the headers, the token decides", async () => {
	const { send, runs, byToken } = open();
	const forged = sign({ secret: toStandard(OTHER_SECRET) });
	expect(await send({ authorization: `Bearer ${BAD}`, ...sign() })).toEqual(
		INVALID,
	);
	expect(await send({ authorization: "Basic eDp5", ...sign() })).toEqual([
		401,
		"AUTHORIZATION_SCHEME",
	]);
	expect(await send({ authorization: `Bearer ${GOOD}`, ...forged })).toEqual(
		HANDLED,
	);
	expect([runs.length, byToken.length]).toEqual([0, 1]);
});

test("without the option they are no credentials, and the log names it", async () => {
	const lines: string[] = [];
	const receiver = createReceiver({
		secret: SECRET,
		clock: () => NOW_MS,
		log: (line) => lines.push(line),
	});
	expect((await receiver.fetch(toRequest(sign()))).status).toBe(401);
	expect(lines.join()).toMatch(/TOKEN_MISSING.*`standard`/);
});

test("a copy is a duplicate by its webhook-id; another id runs", async () => {
	const { send, runs } = open();
	expect(await send(sign())).toEqual(HANDLED);
	expect(await send(sign({ timestampS: NOW_S + 5 }))).toEqual([
		200,
		"duplicate",
	]);
	expect(await send(sign({ id: "another" }))).toEqual(HANDLED);
	const body = BODY.replace('d1"}', 'd2"}');
	expect(await send(sign({ body }), body)).toEqual(HANDLED);
	expect(runs.map(({ conflict }) => conflict)).toEqual([false, false, true]);
});

test("a handler that throws is called again by the retry; the log names the delivery", async () => {
	let fails = true;
	const { send, runs, log } = open({ onError: () => {} }, undefined, () => {
		if (fails) throw new Error("not now");
	});
	expect(await send(sign())).toEqual([500, "HANDLER_FAILED"]);
	expect(log.join()).toContain(
		`An event (record 0197a4a0-0000-7000-8000-00000000d001, delivery ${ID}): HANDLER_FAILED`,
	);
	fails = false;
	expect(await send(sign())).toEqual(HANDLED);
	expect(runs).toHaveLength(2);
});

test("a permanent failure and what was seen carry the id", async () => {
	const seen: unknown[] = [];
	const { send } = open(
		{
			onDeadLetter: (_failure, { claims }) => seen.push(claims.jti),
			onVerdict: ({ jti, outcome }) => seen.push([jti, outcome]),
		},
		undefined,
		() => {
			throw new PermanentFailure("never");
		},
	);
	expect(await send(sign())).toEqual([200, "dead_letter"]);
	expect(seen).toEqual([ID, [ID, "dead_letter"]]);
});

test("a lookup gets no claims; one that fails, or knows nobody, is as with a token", async () => {
	const asked: unknown[] = [];
	const errors: unknown[] = [];
	const withLookup = (found: () => string | undefined) =>
		open({
			secret: (unverified) => {
				asked.push(unverified);
				return found();
			},
			onError: (error) => errors.push(error),
		}).send(sign());
	expect(await withLookup(() => SECRET)).toEqual(HANDLED);
	expect(await withLookup(() => toStandard(SECRET))).toEqual(HANDLED);
	expect(await withLookup(() => undefined)).toEqual(INVALID);
	const fault = new Error("down");
	expect(
		await withLookup(() => {
			throw fault;
		}),
	).toEqual([500, "SECRET_LOOKUP_FAILED"]);
	expect(asked).toEqual([{}, {}, {}, {}]);
	expect(errors).toEqual([fault]);
});

test("the body is parsed only after its signature: a forged one of any shape is 401", async () => {
	const { send } = open();
	for (const body of [
		"{",
		"[]",
		"",
		'{"a":'.repeat(10_000),
		'{"deal":1,"deal":2}',
	])
		expect(await send(sign(), body)).toEqual(INVALID);
	for (const [body, reason] of [
		["{", "INVALID_JSON"],
		["[]", "INVALID_SHAPE"],
		['{"claims":{"uuid":"x"},"configuration":[]}', "INVALID_SHAPE"],
		['{"__proto__":{"uuid":"x"}}', "INVALID_SHAPE"],
		['{"lead":{"uuid":"x"},"deal":{"uuid":"x"}}', "INVALID_SHAPE"],
		['{"lead":[]}', "INVALID_SHAPE"],
		['{"lead":{"uuid":"x"},"configuration":1}', "INVALID_SHAPE"],
	] as const)
		expect([body, ...(await send(sign({ body }), body))]).toEqual([
			body,
			400,
			reason,
		]);
	expect(await send(sign(), new Uint8Array([0xff]))).toEqual([
		400,
		"INVALID_UTF8",
	]);
});

test("limits and strictness are those of any body; a compressed one is verified as it was before", async () => {
	const small = open({ maxBodyBytes: 20 });
	expect(await small.send(sign())).toEqual([413, "BODY_TOO_LARGE"]);
	const zipped = new Uint8Array(gzipSync(BODY));
	const { send } = open({ schema: "strict" });
	expect(await send({ ...sign(), "content-encoding": "gzip" }, zipped)).toEqual(
		HANDLED,
	);
	const body = '{"lead":{}}';
	expect(await send(sign({ body }), body)).toEqual([400, "INVALID_SHAPE"]);
	const typed = { ...sign(), "content-type": "text/plain; charset=latin1" };
	expect(await send(typed)).toEqual([415, "UNSUPPORTED_MEDIA_TYPE"]);
});

test("behind a body parser it is verified if the object's text is what was signed", async () => {
	const { handle, runs } = open({ allowParsedBody: true });
	const take = async (value: unknown, body: string) => {
		const source: BodySource = { kind: "parsed", value };
		const incoming = fromRequest(
			toRequest(sign({ body, id: body.slice(0, 3).replace(/[^!-~]/g, "_") })),
			() => source,
		);
		return (await handle(incoming)).reason;
	};
	expect(await take(JSON.parse(BODY), BODY)).toBeUndefined();
	expect(await take(JSON.parse(BODY), ` ${BODY}`)).toBe("BODY_BYTES_LOST");
	expect(runs).toHaveLength(1);
});

test("an inbox is refused: it keeps events by their names", () => {
	const inbox = sqliteInbox(`${createTempFolder()}/inbox.db`);
	expect(() =>
		createReceiver({
			secret: SECRET,
			inbox,
			standard: standardWebhooks(() => {}),
		}),
	).toThrow(/standard does not work with an inbox/);
});

test.each([
	"whsec_",
	"whsec_short",
	`whsec_${"%".repeat(40)}`,
	`whsec_${"a".repeat(100)}`,
])("the secret %s is refused when the receiver is created", (secret) => {
	expect(() => createReceiver({ secret })).toThrow(/malformed after whsec_/);
});
