import { createOpenApi } from "@partnerwire/contract";
import { createConfig, lintFromString } from "@redocly/openapi-core";
import { readFixture } from "partnerwire";
import { expect, test } from "vitest";

/** The findings of a public linter in the document, as `rule: where`. */
async function lint(document: object): Promise<string[]> {
	const problems = await lintFromString({
		source: JSON.stringify(document),
		absoluteRef: "/openapi.json",
		config: await createConfig({ extends: ["recommended-strict"] }),
	});
	return problems.map(
		({ ruleId, message, location }) =>
			`${ruleId}: ${message} ${location[0]?.pointer ?? ""}`,
	);
}

const document = createOpenApi(readFixture);

test("Redocly's recommended rules find nothing, warnings included, but one ambiguous path of our own (a decision)", async () => {
	const found = await lint(document);
	// `/deals/partner-roles/{uuid}` beside `/deals/{uuid}/tasks` is our choice (docs/decisions.md#partner-roles): no uuid is `partner-roles`.
	const ambiguous = found.filter((one) =>
		/^no-ambiguous-paths: .*\/v1\/deals\/partner-roles\/\{uuid\}/.test(one),
	);
	expect(found.filter((one) => !ambiguous.includes(one))).toEqual([]);
});

test("the linter sees what is wrong: a reference to nothing, two operations of one name, an example that does not fit", async () => {
	const faults = [
		["no-unresolved-refs", 'schemas/Lead"', 'schemas/Leed"'],
		["operation-operationId-unique", '"getLead"', '"getDeal"'],
		[
			"no-invalid-media-type-examples",
			'"example":{"uuid":"',
			'"example":{"uuid":7,"was":"',
		],
	] as const;
	let text = JSON.stringify(document);
	for (const [, good, bad] of faults) {
		expect(text).toContain(good);
		text = text.replace(good, bad);
	}
	const found = await lint(JSON.parse(text));
	for (const [rule] of faults)
		expect(
			found.some((one) => one.startsWith(rule)),
			rule,
		).toBe(true);
});
