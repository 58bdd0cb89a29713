import { createServer } from "node:http";
import { describe, expect, test } from "vitest";
import { CHECKS, runTorture } from "../../admin/src/torture/run-torture.ts";
import { ADAPTERS } from "../kit/endpoints/adapters.ts";
import { listen, missedBy, mount, SECRET } from "./targets.ts";
import { createBelievesTokens } from "./wrong-receivers/believes-tokens.ts";
import { createConflictsOnCopies } from "./wrong-receivers/conflicts-on-copies.ts";
import { createParsesFirst } from "./wrong-receivers/parses-first.ts";

test("every check has a name of its own, a source and advice", () => {
	const ids = CHECKS.map(({ id }) => id);
	expect(new Set(ids).size).toBe(ids.length);
	for (const { source, advice } of CHECKS) {
		expect(source).toMatch(/^(spec|RFC \d+|OWASP|docs\/)/);
		expect(advice).toMatch(/\.$|\?$/);
	}
});

const FRAMEWORKS = [
	"node",
	"h3",
	"express",
	"fastify",
	"koa",
	"hono on node",
	"next",
	"lambda v2",
	"azure",
];

test.each(ADAPTERS.filter(({ name }) => FRAMEWORKS.includes(name)))(
	"our adapter of $name passes every check",
	async (adapter) => {
		expect(await missedBy(await mount(adapter), 5_000)).toEqual([]);
	},
);

describe("wrong receivers are caught, by name", () => {
	const SHORT_MS = 1_000;

	test("one that believes what a token says of itself", async () => {
		const missed = await missedBy(
			await listen(createBelievesTokens(SECRET)),
			SHORT_MS,
		);
		expect(missed).toEqual([
			"token/four-segments",
			"token/alg-none",
			"token/alg-none-signed",
			"token/alg-none-case",
			"token/alg-hs384",
			"token/alg-hs512",
			"token/crit",
			"token/payload-array",
			"claims/expired",
			"claims/expired-2-minutes",
			"claims/no-exp",
			"claims/no-iat",
			"claims/exp-null",
			"claims/exp-text",
			"claims/iat-text",
			"claims/nbf-ahead",
			"claims/no-company",
			"claims/no-user",
			"claims/no-event",
			"claims/event-number",
			"claims/exp-fraction",
			"claims/iat-ahead",
			"claims/long-life",
			"claims/other-body",
			"body/array",
			"body/null",
			"body/oversize",
			"slow/right",
		]);
	});

	test("one that parses before it verifies", async () => {
		const missed = await missedBy(
			await listen(createParsesFirst(SECRET)),
			SHORT_MS,
		);
		expect(missed).toEqual([
			"claims/other-body",
			"body/empty",
			"body/not-json",
			"body/text",
			"body/array",
			"body/null",
			"body/utf-8",
			"body/entity-null",
			"body/forged-not-json",
			"body/forged-encoding",
			"body/forged-oversize",
			"body/oversize",
			"body/bomb",
			"slow/forged",
			"slow/right",
		]);
	});

	test("one that answers copies with an error and waits for bodies for ever", async () => {
		const missed = await missedBy(
			await listen(createConflictsOnCopies(SECRET)),
			SHORT_MS,
		);
		expect(missed).toEqual([
			"claims/required-only",
			"duplicate/same",
			"duplicate/retry",
			"duplicate/no-jti",
			"duplicate/race",
			"slow/right",
		]);
	});

	test("one that refuses everything ends after the first check", async () => {
		const url = await listen(
			createServer((_, response) => void response.writeHead(401).end()),
		);
		const results = await runTorture({ url, secret: SECRET });
		expect(results).toMatchObject([
			{ check: "delivery/right", passed: false, answered: "401" },
		]);
	});
});
