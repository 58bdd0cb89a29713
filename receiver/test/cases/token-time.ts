import { expect } from "vitest";
import { claims, GOOD, NOW_S, tok } from "#kit/endpoints/tokens.ts";
import { type Case, DUPLICATE, expectOk, expectRefusal } from "./case.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const [_H = "", _P = "", _S = ""] = GOOD.split(".");

/** Cases D: the time claims. */
export const TOKEN_TIME_CASES: readonly Case[] = [
	{
		id: "D01",
		title: "exp and iat are required",
		async run({ send }) {
			expectRefusal(await send(bearer(tok({ exp: undefined }))), "EXP_MISSING");
			expectRefusal(await send(bearer(tok({ iat: undefined }))), "IAT_MISSING");
		},
	},
	{
		id: "D02",
		title: "exp, iat and nbf are integers",
		async run({ send }) {
			const odd = [
				String(NOW_S + 60),
				"2030-01-01T00:00:00Z",
				null,
				true,
				[NOW_S],
			];
			for (const value of odd) {
				expectRefusal(await send(bearer(tok({ exp: value }))), "EXP_INVALID");
				expectRefusal(await send(bearer(tok({ iat: value }))), "IAT_INVALID");
				expectRefusal(await send(bearer(tok({ nbf: value }))), "NBF_INVALID");
			}
			const huge = JSON.stringify(claims()).replace(/"exp":\d+/, '"exp":1e400');
			expectRefusal(await send(bearer(tok(huge))), "EXP_INVALID");
		},
	},
	{
		id: "D03",
		title: "a lifetime over 24 h, and milliseconds",
		async run({ send }) {
			const day = 24 * 60 * 60;
			expectOk(await send(bearer(tok({ exp: NOW_S + day }))));
			for (const exp of [NOW_S + day + 1, (NOW_S + 60) * 1000])
				expectRefusal(await send(bearer(tok({ exp }))), "EXP_TOO_FAR");
			expectRefusal(
				await send(
					bearer(tok({ iat: NOW_S * 1000, exp: (NOW_S + 60) * 1000 })),
				),
				"IAT_FUTURE",
			);
		},
	},
	{
		id: "D05",
		title: "a fractional exp is refused: the spec says integer",
		async run({ send }) {
			expectRefusal(
				await send(bearer(tok({ exp: NOW_S + 60.5 }))),
				"EXP_INVALID",
			);
			const whole = JSON.stringify(claims()).replace(/("exp":\d+)/, "$1.0");
			expectOk(await send(bearer(tok(whole))));
		},
	},
	{
		id: "D06",
		title: "expired from the very second of exp",
		async run({ send, clock }) {
			clock.advance(59_999);
			expectOk(await send());
			clock.advance(1);
			expectRefusal(await send(), "TOKEN_EXPIRED");
			expectRefusal(
				await send(bearer(tok({ exp: NOW_S - 1 }))),
				"TOKEN_EXPIRED",
			);
		},
	},
	{
		id: "D07",
		title: "no tolerance by default",
		async run({ send, clock }) {
			clock.advance(105_000);
			expectRefusal(await send(), "TOKEN_EXPIRED");
		},
	},
	{
		id: "D07 tolerance",
		title: "expToleranceS allows for a slow sender",
		options: { expToleranceS: 60 },
		async run({ send, clock }) {
			clock.advance(105_000);
			expectOk(await send());
			clock.advance(15_000);
			expectRefusal(await send(), "TOKEN_EXPIRED");
		},
	},
	{
		id: "D08",
		title: "iat up to five minutes ahead",
		async run({ send }) {
			const at = (ahead: number) =>
				bearer(tok({ iat: NOW_S + ahead, exp: NOW_S + ahead + 60 }));
			expectOk(await send(at(5)));
			expectOk(await send(at(300)), DUPLICATE);
			expectRefusal(await send(at(301)), "IAT_FUTURE");
			expectRefusal(await send(at(3600)), "IAT_FUTURE");
		},
	},
	{
		id: "D08 nbf",
		title: "nbf is honoured",
		async run({ send, clock }) {
			const token = bearer(tok({ nbf: NOW_S + 10 }));
			expectRefusal(await send(token), "TOKEN_NOT_YET_VALID");
			clock.advance(10_000);
			expectOk(await send(token));
		},
	},
	{
		id: "D11",
		title: "a late copy is expired, and the observer hears by how much",
		async run({ send, clock, seen }) {
			clock.advance(150_000);
			expectRefusal(await send(), "TOKEN_EXPIRED");
			expect(seen[0]).toMatchObject({
				reason: "TOKEN_EXPIRED",
				expiredForS: 90,
			});
		},
	},
	{
		id: "D12",
		title: "the same token with another body runs, flagged",
		async run({ send, runs }) {
			expectOk(await send());
			expectOk(
				await send({ body: '{"deal":{"uuid":"x"},"configuration":[]}' }),
			);
			expect(runs.map((run) => run.tokenReused)).toEqual([false, true]);
		},
	},
	{
		id: "D12 reject",
		title: "onTokenReuse: reject makes it 401",
		options: { onTokenReuse: "reject" },
		async run({ send }) {
			expectOk(await send());
			expectOk(await send(), DUPLICATE);
			expectRefusal(
				await send({ body: '{"deal":{"uuid":"x"},"configuration":[]}' }),
				"TOKEN_REUSED",
			);
		},
	},
];
