import { expect } from "vitest";
import { BAD, GOOD, tok } from "#kit/endpoints/tokens.ts";
import { type Case, DUPLICATE, expectOk, expectRefusal } from "./case.ts";

/** Cases B: the Authorization header. */
export const AUTHORIZATION_CASES: readonly Case[] = [
	{
		id: "B01",
		title: "the scheme's case does not matter",
		async run({ send, runs }) {
			for (const scheme of ["bearer", "BEARER", "bEaReR"])
				expect(
					(await send({ authorization: `${scheme} ${GOOD}` })).status,
				).toBe(200);
			expect(runs.length).toBe(1);
			for (const other of ["Basic", "Token", "Bearer:", "Bearers", "JWT"])
				expectRefusal(
					await send({ authorization: `${other} ${GOOD}` }),
					"AUTHORIZATION_SCHEME",
				);
		},
	},
	{
		id: "B02",
		title: "one or more spaces or tabs",
		async run({ send }) {
			expectOk(await send({ authorization: `Bearer  ${GOOD}` }));
			for (const space of ["\t", " \t ", "    "])
				expectOk(
					await send({ authorization: `Bearer${space}${GOOD}` }),
					DUPLICATE,
				);
			expectRefusal(
				await send({ authorization: `Bearer ${GOOD} ${GOOD}` }),
				"TOKEN_MALFORMED",
			);
		},
	},
	{
		id: "B03",
		title: "no credential",
		async run({ send }) {
			for (const authorization of [null, "", "Bearer", "Bearer ", "Bearer   "])
				expectRefusal(await send({ authorization }), "TOKEN_MISSING");
		},
	},
	{
		id: "B05",
		title: "two different Authorization values, in either order",
		async run({ send, runs }) {
			const good = `Bearer ${GOOD}`;
			for (const authorization of [
				[good, `Bearer ${BAD}`],
				[`Bearer ${BAD}`, good],
				["Basic dTpw", good],
				[good, "Basic dTpw"],
				[`${good}, Bearer ${BAD}`],
			])
				expectRefusal(await send({ authorization }), "MULTIPLE_AUTHORIZATION");
			expect(runs.length).toBe(0);
			expectOk(await send({ authorization: [good, good] }));
		},
	},
	{
		id: "B06",
		title: "the header's name in any case",
		async run({ send }) {
			for (const name of ["AUTHORIZATION", "Authorization", "aUTHORIZATION"])
				expect(
					(
						await send({
							authorization: null,
							headers: { [name]: `Bearer ${GOOD}` },
						})
					).status,
				).toBe(200);
		},
	},
	{
		id: "B08",
		title: "no other header is read by default",
		async run({ send }) {
			expectRefusal(
				await send({
					authorization: null,
					headers: { "x-forwarded-authorization": `Bearer ${GOOD}` },
				}),
				"TOKEN_MISSING",
			);
		},
	},
	{
		id: "B08 opt-in",
		title: "tokenHeader names another header; Authorization goes first",
		options: { tokenHeader: ["X-Forwarded-Authorization"], explain: true },
		async run({ send, log }) {
			const headers = { "x-forwarded-authorization": `Bearer ${GOOD}` };
			expectOk(await send({ authorization: null, headers }));
			const bad = await send({ authorization: `Bearer ${BAD}`, headers });
			expect(bad.json.error?.code).toBe("SIGNATURE_INVALID");
			await send({ authorization: null });
			expect(log.at(-1)).toContain("No Authorization header reached");
		},
	},
	{
		id: "B09",
		title: "our refusals can be told from a platform's",
		async run({ send }) {
			const answer = await send({ authorization: null });
			expect(answer.headers["x-webhook-receiver"]).toBe("1");
			expect(answer.headers["www-authenticate"]).toBe("Bearer");
		},
	},
	{
		id: "B11",
		title: "bytes that no token has",
		async run({ send }) {
			for (const odd of ["é", "ÿ", "+", "/", "=", "%2E", ";", "a.b.c é"])
				expectRefusal(
					await send({ authorization: `Bearer ${GOOD}${odd}` }),
					"TOKEN_MALFORMED",
				);
		},
	},
	{
		id: "B11 linear",
		title: "a long wrong token costs no more than its length",
		async run({ send }) {
			const long = `${"a".repeat(6_000)}.${"b".repeat(6_000)}!`;
			expectRefusal(
				await send({ authorization: `Bearer ${long}` }),
				"TOKEN_MALFORMED",
			);
		},
	},
	{
		id: "G14",
		title: "any combination of missing headers is an answer below 500",
		async run({ send }) {
			for (const authorization of [null, "", `Bearer ${tok({ jti: "g14" })}`])
				for (const type of [null, "", "x"])
					for (const body of [null, "", "{}"]) {
						const { status } = await send({
							authorization,
							headers: { "content-type": type },
							body,
						});
						expect(status).toBe(authorization ? 400 : 401);
					}
		},
	},
];
