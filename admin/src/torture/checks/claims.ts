import { type Check, type Level, OK, sends, UNAUTHORIZED } from "../check.ts";
import type { Kit } from "../kit.ts";

const CLAIMS = "spec, Webhook requests 2: the required claims";
const EXPIRED = "spec, Webhook requests 3: an expired token";
const NUMERIC =
	"spec, Webhook requests 2: iat and exp are integers in Unix seconds";

type Row = readonly [
	name: string,
	title: string,
	claims: (nowS: number) => Record<string, unknown>,
	source: string,
	advice: string,
	level?: Level,
];

const CHECK_EXP =
	"Check exp against the clock, with no tolerance or a few seconds at most.";
const REQUIRE =
	"Require the claim: most libraries check exp and iat only where they are there.";

const ROWS: readonly Row[] = [
	[
		"expired",
		"expired an hour ago",
		(now) => ({ iat: now - 7200, exp: now - 3600 }),
		EXPIRED,
		CHECK_EXP,
	],
	[
		"expired-2-minutes",
		"expired two minutes ago",
		(now) => ({ iat: now - 300, exp: now - 120 }),
		EXPIRED,
		CHECK_EXP,
	],
	["no-exp", "no exp", () => ({ exp: undefined }), CLAIMS, REQUIRE],
	["no-iat", "no iat", () => ({ iat: undefined }), CLAIMS, REQUIRE],
	["exp-null", "exp null", () => ({ exp: null }), NUMERIC, REQUIRE],
	[
		"exp-text",
		"exp as text",
		(now) => ({ exp: String(now + 300) }),
		NUMERIC,
		"Accept numbers only: text is not compared as a time.",
	],
	[
		"iat-text",
		"iat as text",
		(now) => ({ iat: String(now) }),
		NUMERIC,
		"Accept numbers only.",
	],
	[
		"nbf-ahead",
		"not valid before tomorrow",
		(now) => ({ nbf: now + 86_400 }),
		"RFC 7519 section 4.1.5",
		"Honour nbf where it is there.",
	],
	[
		"no-company",
		"no company_uuid",
		() => ({ company_uuid: undefined }),
		CLAIMS,
		REQUIRE,
	],
	[
		"no-user",
		"no user_uuid",
		() => ({ user_uuid: undefined }),
		CLAIMS,
		REQUIRE,
	],
	["no-event", "no event_id", () => ({ event_id: undefined }), CLAIMS, REQUIRE],
	[
		"event-number",
		"an event_id that is a number",
		() => ({ event_id: 7 }),
		CLAIMS,
		"Check the claim's type, not only that it is there.",
	],
	[
		"exp-fraction",
		"exp with a fraction",
		(now) => ({ exp: now + 300.5 }),
		NUMERIC,
		"The spec says integer.",
		"should",
	],
	[
		"iat-ahead",
		"issued a day from now",
		(now) => ({ iat: now + 86_400, exp: now + 86_700 }),
		"RFC 7519 section 4.1.6",
		"Refuse an iat that is far ahead: a clock is wrong, or somebody forges.",
		"should",
	],
	[
		"long-life",
		"valid for ten years",
		(now) => ({ exp: now + 315_360_000 }),
		"RFC 8725 section 3.10",
		"Bound exp - iat, so that a token that leaks does not live for ever.",
		"should",
	],
];

/** Claims that are missing, expired or of the wrong type, with a valid signature. */
export const CLAIM_CHECKS: readonly Check[] = [
	...ROWS.map(
		([name, title, claims, source, advice, level = "must"]): Check => ({
			id: `claims/${name}`,
			title,
			level,
			expected: UNAUTHORIZED,
			source,
			advice,
			run: sends((kit: Kit) => kit.shot({ claims: claims(kit.nowS()) })),
		}),
	),
	{
		id: "claims/other-body",
		title: "a body that payload_sha256 does not name",
		level: "should",
		expected: UNAUTHORIZED,
		source: "docs/receiver.md, Token vectors: rule 7",
		advice:
			"Compare payload_sha256 with the SHA-256 of the raw body: nothing else binds the two.",
		run: sends(async (kit) => ({
			...(await kit.shot()),
			body: kit.body(),
		})),
	},
	{
		id: "claims/required-only",
		title: "only the required claims",
		level: "must",
		expected: OK,
		source: CLAIMS,
		advice: "Do not require claims that the specification does not.",
		run: sends((kit) =>
			kit.shot({ claims: { jti: undefined, payload_sha256: undefined } }),
		),
	},
];
