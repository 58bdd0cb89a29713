import { gzipSync } from "node:zlib";
import {
	type Check,
	NO_FAULT,
	OK,
	REFUSED,
	REFUSED_OR_CLOSED,
	sends,
	UNAUTHORIZED,
} from "../check.ts";
import type { Kit, Parts } from "../kit.ts";

const MIB = 1024 * 1024;
/** The largest body that the service sends (docs/decisions.md#size). */
const LARGEST_SENT = 256 * 1024;
/** More than any receiver needs, but quickly sent. */
const OVERSIZE = 6 * MIB;

const SHAPE = "spec, Delivery and Payload shape: a JSON object";
const TOKEN_FIRST =
	"spec, Webhook requests 3: 401 for a bad token, whatever the body";
const NO_500 =
	"Answer 400 when the body cannot be parsed: a 500 makes the sender try for three days.";
const VERIFY_FIRST =
	"Verify the token before the body is read or parsed: mount the receiver before body parsers.";

const broken =
	(body: string | Uint8Array, more: Parts = {}) =>
	(kit: Kit) =>
		kit.shot({ body, ...more });
const forged = (parts: Parts) => (kit: Kit) =>
	kit.shot({ ...parts, secret: "6f1c2b9e-6a51-4d0b-9a53-000000000000" });

/** The JSON of an event with exactly this many bytes. */
function ofSize(kit: Kit, bytes: number): string {
	const { configuration, ...entities } = JSON.parse(kit.body());
	const fill = (notes: string) =>
		JSON.stringify({
			lead: { ...entities.lead, notes },
			configuration,
		});
	return fill("x".repeat(bytes - Buffer.byteLength(fill(""))));
}

const BAD_BODIES: readonly (readonly [string, string, string | Uint8Array])[] =
	[
		["empty", "no body", ""],
		["not-json", "a body that is not JSON", '{"lead":'],
		["text", "a body that is plain text", "hello"],
		["array", "a body that is an array", "[]"],
		["null", "a body that is null", "null"],
		[
			"utf-8",
			"bytes that are not UTF-8",
			Uint8Array.from([0x7b, 0xff, 0xfe, 0x7d]),
		],
	];

const ODD_BODIES: readonly (readonly [string, string, string])[] = [
	["no-entity", "a body without the event's entity", '{"configuration":[]}'],
	["entity-null", "an entity that is null", '{"lead":null,"configuration":[]}'],
	[
		"configuration",
		"a configuration that is no array",
		'{"lead":{"uuid":"x"},"configuration":7}',
	],
	[
		"prototype",
		"members that are called __proto__ and constructor",
		'{"lead":{"uuid":"x","__proto__":{"a":1},"constructor":{"prototype":{"b":1}}},"configuration":[]}',
	],
	[
		"deep",
		"a body nested 50 000 deep",
		`{"lead":${"[".repeat(50_000)}${"]".repeat(50_000)},"configuration":[]}`,
	],
	[
		"twice",
		"a member that comes twice",
		'{"lead":{"uuid":"a"},"lead":{"uuid":"b"},"configuration":[]}',
	],
];

/** Bodies with a valid token, and with a forged one. */
export const BODY_CHECKS: readonly Check[] = [
	...BAD_BODIES.map(
		([name, title, body]): Check => ({
			id: `body/${name}`,
			title,
			level: "must",
			expected: REFUSED,
			source: SHAPE,
			advice: NO_500,
			run: sends(broken(body)),
		}),
	),
	...ODD_BODIES.map(
		([name, title, body]): Check => ({
			id: `body/${name}`,
			title,
			level: "must",
			expected: NO_FAULT,
			source: SHAPE,
			advice:
				"Check the shape before you use it: a TypeError is a 500, and the sender tries for three days.",
			run: sends(broken(body)),
		}),
	),
	{
		id: "body/forged-not-json",
		title: "a forged token with a body that is not JSON, or none",
		level: "must",
		expected: UNAUTHORIZED,
		source: TOKEN_FIRST,
		advice: VERIFY_FIRST,
		run: sends(
			forged({ body: '{"lead":' }),
			forged({ body: "" }),
			forged({ body: "a=b", contentType: "application/x-www-form-urlencoded" }),
			forged({ body: "hello", contentType: "text/plain" }),
		),
	},
	{
		id: "body/forged-encoding",
		title: "a forged token with a body in an unknown encoding",
		level: "must",
		expected: UNAUTHORIZED,
		source: TOKEN_FIRST,
		advice: VERIFY_FIRST,
		run: sends(
			forged({ body: "x", headers: [["content-encoding", "br"]] }),
			forged({ body: "x", headers: [["content-encoding", "gzip"]] }),
		),
	},
	{
		id: "body/forged-oversize",
		title: "a forged token with 6 MiB",
		level: "must",
		expected: REFUSED_OR_CLOSED,
		source: "OWASP API4:2023, unrestricted resource consumption",
		advice: VERIFY_FIRST,
		run: sends(forged({ body: Buffer.alloc(OVERSIZE, "a") })),
	},
	{
		id: "body/oversize",
		title: "a right token with 6 MiB, also without its length",
		level: "must",
		expected: REFUSED_OR_CLOSED,
		source: "OWASP API4:2023, unrestricted resource consumption",
		advice:
			"Bound the body, by the bytes that arrive: nothing above 256 KiB is sent.",
		run: sends(
			(kit) => kit.shot({ body: ofSize(kit, OVERSIZE) }),
			async (kit) => ({
				...(await kit.shot({ body: ofSize(kit, OVERSIZE) })),
				isChunked: true,
			}),
		),
	},
	{
		id: "body/bomb",
		title: "6 KB of gzip that inflate to 6 MiB",
		level: "must",
		expected: REFUSED_OR_CLOSED,
		source: "OWASP API4:2023, unrestricted resource consumption",
		advice: "Bound the inflated bytes, or refuse encodings with 415.",
		run: sends(
			broken(gzipSync(Buffer.alloc(OVERSIZE, " ")), {
				headers: [["content-encoding", "gzip"]],
			}),
		),
	},
	{
		id: "body/largest",
		title: "the largest payload that is sent, 256 KiB",
		level: "must",
		expected: OK,
		source: "docs/decisions.md: size",
		advice:
			"Raise the parser's limit: express.json() and others refuse more than 100 KB unless told.",
		run: sends((kit) => kit.shot({ body: ofSize(kit, LARGEST_SENT) })),
	},
	{
		id: "body/unicode",
		title: "text outside of ASCII, and escapes",
		level: "must",
		expected: OK,
		source: "RFC 8259 section 8.1: JSON is UTF-8",
		advice: "Decode the body as UTF-8, and hash its bytes, not its text.",
		run: sends((kit) => {
			const { configuration, lead } = JSON.parse(kit.body());
			const odd = { ...lead, company_name: 'Grüße 日本 😀 \u2028 \\ " \t' };
			return kit.shot({ body: JSON.stringify({ lead: odd, configuration }) });
		}),
	},
	{
		id: "body/more-members",
		title: "members that are not known",
		level: "must",
		expected: OK,
		source: "spec, Versioning 2: new fields may be added at any time",
		advice: "Ignore members that you do not know.",
		run: sends((kit) => {
			const body = { ...JSON.parse(kit.body()), new_member: [1] };
			return kit.shot({ body: JSON.stringify(body) });
		}),
	},
];
