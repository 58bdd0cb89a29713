// Which requests without a token are taken, on both platforms (docs/standard-webhooks.md).
import fc from "fast-check";
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
import { hmac as nodePort } from "../src/verify/crypto-node.ts";
import { hmac as webPort } from "../src/verify/crypto-web.ts";
import type { PlatformCrypto } from "../src/verify/platform-crypto.ts";
import {
	HANDLED,
	ID,
	INVALID,
	open,
	sign,
	toStandard,
} from "./helpers/standard.ts";

const MALFORMED = [401, "TOKEN_MALFORMED"];

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
			"two others' signatures before the right one",
			{
				"webhook-signature": `${`v1,${"A".repeat(43)}= `.repeat(2)}${sign()["webhook-signature"]}`,
			},
			HANDLED,
		],
		[
			"three others' signatures before the right one, which costs too much to look at",
			{
				"webhook-signature": `${`v1,${"A".repeat(43)}= `.repeat(3)}${sign()["webhook-signature"]}`,
			},
			INVALID,
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
