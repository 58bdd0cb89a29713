import * as fc from "fast-check";
import {
	claims,
	NOW_S,
	OTHER_SECRET,
	SECRET,
	segment,
	sign,
} from "#kit/endpoints/tokens.ts";

const text = (value: unknown): string =>
	typeof value === "string" ? value : (JSON.stringify(value) ?? "undefined");

const time = fc.oneof(
	{ weight: 6, arbitrary: fc.constantFrom(NOW_S, NOW_S + 60, NOW_S - 60) },
	{
		weight: 2,
		arbitrary: fc.integer({ min: -90_000, max: 90_000 }).map((s) => NOW_S + s),
	},
	fc.constantFrom<unknown>(
		undefined,
		null,
		"1",
		true,
		[NOW_S],
		NOW_S * 1000,
		1.5,
		1e300,
	),
);

const name = fc.oneof(
	{ weight: 9, arbitrary: fc.constantFrom("c", "deal_updated", "é😀") },
	fc.constantFrom<unknown>(undefined, null, "", 1, {}),
);

const payload = fc.oneof(
	{
		weight: 8,
		arbitrary: fc
			.record(
				{
					iat: time,
					exp: time,
					nbf: time,
					company_uuid: name,
					user_uuid: name,
					event_id: name,
				},
				{ requiredKeys: [] },
			)
			.map(claims),
	},
	{
		weight: 4,
		arbitrary: fc
			.record({ jti: fc.string(), more: fc.jsonValue() })
			.map(claims),
	},
	fc.constantFrom<unknown>(
		"[]",
		"null",
		"1",
		'"x"',
		"{",
		"",
		"\ufeff{}",
		" {} ",
	),
	fc.string(),
);

const header = fc.oneof(
	{
		weight: 12,
		arbitrary: fc.constantFrom<unknown>(
			{ alg: "HS256", typ: "JWT" },
			{ alg: "HS256" },
		),
	},
	fc.constantFrom<unknown>(
		{ alg: "none" },
		{ alg: "HS512" },
		{ alg: ["HS256"] },
		{ alg: "HS256", crit: ["x"], x: 1 },
		{ alg: "HS256", crit: [] },
		{ alg: "HS256", typ: 1, kid: "x" },
		{ typ: "JWT" },
		"{",
		"[]",
		"null",
		'{"alg":"none","alg":"HS256"}',
		"\ufeff{}",
	),
);

type Damage = (token: string, at: number, char: string) => string;

const DAMAGES: readonly Damage[] = [
	(token, at, char) => token.slice(0, at) + char + token.slice(at + 1),
	(token, at, char) => token.slice(0, at) + char + token.slice(at),
	(token, at) => token.slice(0, at) + token.slice(at + 1),
	(token, at) => token.slice(0, at),
	(token) => `${token}=`,
	(token) => `${token}.`,
	(token) => token.replaceAll("-", "+").replaceAll("_", "/"),
	(token, _at, char) => token.slice(0, -1) + char,
	(token) => `${token}\n`,
	(token) => token.toLowerCase(),
];

const damage = fc.oneof(
	{ weight: 6, arbitrary: fc.constant((token: string) => token) },
	{
		weight: 4,
		arbitrary: fc
			.tuple(
				fc.constantFrom(...DAMAGES),
				fc.double({ min: 0, max: 1, noNaN: true }),
				fc.constantFrom(..."AEZaz09-_.+/= é"),
			)
			.map(
				([change, where, char]) =>
					(token: string) =>
						change(token, Math.floor(where * token.length), char),
			),
	},
);

/** Generates tokens of every kind: about a third is good, the others are wrong in one or several ways. */
export const arbitraryToken: fc.Arbitrary<string> = fc
	.record({
		header,
		payload,
		secret: fc.constantFrom(SECRET, SECRET, SECRET, OTHER_SECRET, "x", ""),
		damage,
		invalidUtf8: fc.integer({ min: 0, max: 20 }),
	})
	.map((parts) => {
		const bytes = Buffer.from(text(parts.payload));
		const content =
			parts.invalidUtf8 === 0
				? Buffer.concat([
						bytes.subarray(0, 2),
						Buffer.from([0xff]),
						bytes.subarray(2),
					])
				: bytes;
		const input = `${segment(text(parts.header))}.${segment(content)}`;
		return parts.damage(`${input}.${sign(input, parts.secret)}`);
	});
