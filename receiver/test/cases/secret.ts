import { expect } from "vitest";
import { GOOD, OTHER_SECRET, SECRET, tok } from "#kit/endpoints/tokens.ts";
import { type Case, DUPLICATE, expectOk, expectRefusal } from "./case.ts";

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const INTEGRATION_ID = "0197a4a0-0000-7000-8000-00000000c001";
const rawBytes = Buffer.from(SECRET.replaceAll("-", ""), "hex");

/** Cases of the secret. */
export const SECRET_CASES: readonly Case[] = [
	{
		id: "C17",
		title: "the lookup only chooses candidates",
		options: {
			secret: ({ company_uuid }) =>
				company_uuid === "known" ? [OTHER_SECRET, SECRET] : undefined,
		},
		async run({ send, runs, seen }) {
			expectOk(await send(bearer(tok({ company_uuid: "known" }))));
			expect(runs[0]?.secretIndex).toBe(1);
			expect(seen[0]?.secretIndex).toBe(1);
			const unknown = await send(bearer(tok({ company_uuid: "unknown" })));
			const bad = await send(
				bearer(tok({ company_uuid: "known" }, undefined, "x")),
			);
			expectRefusal(unknown, "SIGNATURE_INVALID");
			expectRefusal(bad, "SIGNATURE_INVALID");
			expect(unknown.text).toBe(bad.text);
		},
	},
	{
		id: "C17 nothing",
		title: "a lookup that finds nothing usable accepts nothing",
		options: {
			secret: ({ company_uuid }) => {
				if (company_uuid === "throws") throw new Error("db password hunter2");
				const found: Record<string, unknown> = {
					empty: "",
					blank: " ",
					word: "undefined",
					none: null,
					list: [],
					blanks: ["", undefined],
					number: 1,
				};
				return found[String(company_uuid)] as string;
			},
		},
		async run({ send, log }) {
			for (const company_uuid of [
				"empty",
				"blank",
				"word",
				"none",
				"list",
				"blanks",
				"number",
				"other",
			])
				for (const secret of ["", SECRET, "undefined"])
					expectRefusal(
						await send(bearer(tok({ company_uuid }, undefined, secret))),
						"SIGNATURE_INVALID",
					);
			const unusable = log.filter((line) => line.includes("not usable"));
			// One for each problem: too little time passes for a second line.
			expect(unusable.length).toBe(new Set(unusable).size);
			expect(unusable.join()).toContain("placeholder");
			const answer = await send(bearer(tok({ company_uuid: "throws" })));
			expectRefusal(answer, "SECRET_LOOKUP_FAILED");
			expect(answer.text + log.join()).not.toContain("hunter2");
			for (let times = 0; times < 20; times++)
				await send(bearer(tok({ company_uuid: "throws" })));
			const failed = log.filter((line) =>
				line.includes("SECRET_LOOKUP_FAILED"),
			);
			expect(failed).toHaveLength(1);
		},
	},
	{
		id: "E03",
		title: "the secret is used exactly as spelled",
		async run({ send }) {
			for (const secret of [
				SECRET.toUpperCase(),
				SECRET.replaceAll("-", ""),
				`{${SECRET}}`,
				`urn:uuid:${SECRET}`,
				`${SECRET}\n`,
				rawBytes,
			])
				expectRefusal(
					await send(bearer(tok({}, undefined, secret))),
					"SIGNATURE_INVALID",
				);
		},
	},
	{
		id: "E03 log",
		title: "misspelt secrets are tried only with the option `explain`",
		isAdvice: true,
		async run({ send, log }) {
			const misspelt = tok({}, undefined, SECRET.toUpperCase());
			expectRefusal(await send(bearer(misspelt)), "SIGNATURE_INVALID");
			expect(log).toEqual([
				expect.stringMatching(/SIGNATURE_INVALID.*as it was shown/),
			]);
		},
	},
	{
		id: "E03 explain",
		title: "explain says which spelling would be right, and stays at 401",
		options: { explain: true, secret: SECRET.toUpperCase() },
		async run({ send, log }) {
			for (const [secret, words] of [
				[SECRET, "in lower case"],
				[`${SECRET.toUpperCase()}\n`, "with a newline at its end"],
				[SECRET.toUpperCase().replaceAll("-", ""), "without its dashes"],
				[rawBytes, "decoded from hexadecimal"],
				["something else", "neither"],
			] as const) {
				const { status, json } = await send(bearer(tok({}, undefined, secret)));
				expect(status).toBe(401);
				expect(json.error?.code).toBe("SIGNATURE_INVALID");
				expect(json.error?.explanation).toContain(words);
				expect(log.at(-1)).toContain(words);
			}
		},
	},
	{
		id: "D03 explain",
		title: "explain knows milliseconds and clocks that are off",
		options: { explain: true },
		async run({ send, clock }) {
			const exp = clock.now() + 60_000;
			const milliseconds = await send(bearer(tok({ exp })));
			expect(milliseconds.json.error?.explanation).toContain("milliseconds");
			clock.advance(150_000);
			const late = await send();
			expect(late.json.error?.explanation).toContain("90 s");
			clock.advance(-150_000 - 3_600_000);
			const early = await send();
			expect(early.json.error?.explanation).toContain("3600 s");
		},
	},
	{
		id: "E04",
		title: "not the decoded bytes of the secret",
		async run({ send }) {
			expectRefusal(
				await send(bearer(tok({}, undefined, rawBytes))),
				"SIGNATURE_INVALID",
			);
			expectRefusal(
				await send(bearer(tok({}, undefined, Buffer.from(SECRET, "base64")))),
				"SIGNATURE_INVALID",
			);
		},
	},
	{
		id: "E05",
		title: "a secret that is no UUID works, with one warning",
		options: { secret: "s3cr3t" },
		async run({ send, log }) {
			expect(log.length).toBe(1);
			expect(log[0]).toContain("not a UUID");
			expectOk(await send(bearer(tok({}, undefined, "s3cr3t"))));
			expect(log.length).toBe(1);
		},
	},
	{
		id: "E05 id",
		title:
			"the integration's id in place of its secret is named at creation and at the refusal",
		options: { secret: INTEGRATION_ID },
		async run({ send, log, clock }) {
			const named = expect.stringContaining("the integration's id, not its");
			expect(log).toEqual([named]);
			expectRefusal(
				await send(bearer(tok({}, undefined, OTHER_SECRET))),
				"SIGNATURE_INVALID",
			);
			expect(log).toEqual([named, named]);
			expect(log[1]).toContain("SIGNATURE_INVALID");
			// It may be right after all: only Partnerwire's own ids are known.
			clock.advance(1_000);
			expectOk(await send(bearer(tok({}, undefined, INTEGRATION_ID))));
			expect(log.join()).not.toContain(INTEGRATION_ID);
			expect(log.length).toBe(2);
		},
	},
	{
		id: "E05 beside",
		title:
			"an id beside a secret is named at creation, and explains no refusal",
		options: { secret: [SECRET, INTEGRATION_ID], explain: true },
		async run({ send, log }) {
			expect(log[0]).toContain("the integration's id, not its");
			expectOk(await send(bearer(GOOD)));
			const { json } = await send(bearer(tok({}, undefined, OTHER_SECRET)));
			const { explanation = "" } = json.error ?? {};
			expect(explanation).not.toMatch(/^$|version 7/);
			expect(log.slice(1).join()).not.toContain("version 7");
		},
	},
	{
		id: "E05 lookup",
		title: "a lookup that finds the integration's id is named once a second",
		options: { secret: () => INTEGRATION_ID },
		async run({ send, log }) {
			for (let time = 0; time < 5; time++)
				expectRefusal(await send(), "SIGNATURE_INVALID");
			expect(log).toEqual([
				expect.stringContaining("The secret is a UUID of version 7"),
			]);
		},
	},
	{
		id: "E05 lookup explained",
		title: "explain names the id that a lookup found",
		options: { secret: () => [INTEGRATION_ID], explain: true },
		async run({ send }) {
			const { json } = await send();
			expect(json.error?.explanation).toContain("id, not its secret");
		},
	},
	{
		id: "E07",
		title: "several secrets during a rotation",
		options: { secret: [OTHER_SECRET, SECRET] },
		async run({ send, runs, seen }) {
			expectOk(await send(bearer(GOOD)));
			expectOk(
				await send({
					...bearer(tok({}, undefined, OTHER_SECRET)),
					body: '{"deal":{"uuid":"x"},"configuration":[]}',
				}),
			);
			expect(runs.map((run) => run.secretIndex)).toEqual([1, 0]);
			expect(seen.map((each) => each.secretIndex)).toEqual([1, 0]);
			expectOk(await send(bearer(tok({}, undefined, OTHER_SECRET))), DUPLICATE);
			expectRefusal(
				await send(bearer(tok({}, undefined, "neither"))),
				"SIGNATURE_INVALID",
			);
		},
	},
];
