import type { Operation, OperationId } from "@partnerwire/contract";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import {
	bodyIn,
	createTableWorld,
	paramsIn,
	type Row,
	rows,
	type TableWorld,
} from "../support/table-world.ts";
import { referringBodyOf } from "../support/valid-body.ts";

/**
 * Whatever is sent to an operation, it answers, and what it answers is not its own fault. `api.close` insists that
 * no fault was reported either.
 */
let api: Api;
let world: TableWorld;
beforeAll(async () => {
	api = await openApi();
	world = await createTableWorld(api, api.seeded.keys.full);
});
afterAll(() => api.close());

const MEGABYTE = "x".repeat(1024 * 1024 - 2048);
/** Values that have broken programs before. */
const ODD: readonly unknown[] = [
	"a\0b",
	"\0",
	"\ud800",
	"x\udc00",
	"😀",
	MEGABYTE,
	"",
	"   ",
	"%_\\'\"; drop table lead; --",
	"__proto__",
	"2026-02-30",
	"0000-01-01",
	"00000000-0000-0000-0000-000000000000",
	1e308,
	-1e308,
	5e-324,
	-0,
	2 ** 53,
	Number.MIN_SAFE_INTEGER,
	0.1 + 0.2,
	null,
	true,
	[],
	[[[[]]]],
	{},
	{ length: 1e9 },
	{ toString: null },
];

const odd = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom(...ODD) },
	{ weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
	{ weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
);

const membersOf = (schema: Operation["query"] | Operation["body"]) =>
	Object.keys((schema as { shape?: object } | null)?.shape ?? {});

/** A body that is stored: its references are those of the world. */
const storedBody = (row: Row) => bodyIn(world, row, referringBodyOf(row));

/** A body that is stored but for some members, or no such body at all. */
function bodies(row: Row): fc.Arbitrary<unknown> {
	if (!row.body) return fc.constant(undefined);
	const valid = storedBody(row) ?? {};
	const names = membersOf(row.body);
	const some = fc.dictionary(
		fc.constantFrom(...names, "__proto__", "extra"),
		odd,
		{ maxKeys: 3 },
	);
	return fc.oneof(
		{ weight: 6, arbitrary: some.map((members) => ({ ...valid, ...members })) },
		{ weight: 1, arbitrary: some },
		{ weight: 1, arbitrary: odd },
	);
}

const queryText = fc.oneof(
	odd
		.filter((value) => value !== MEGABYTE)
		.map((value) => String(JSON.stringify(value))),
	fc.constantFrom(
		"%00",
		"%ED%A0%80",
		"%",
		"a,b,,",
		"1e308",
		"-0",
		"%F0%9F%98%80",
		"x".repeat(4000),
	),
);
function queries({ query }: Operation): fc.Arbitrary<string> {
	const names = [...membersOf(query), "extra"];
	return fc
		.array(fc.tuple(fc.constantFrom(...names), queryText), { maxLength: 3 })
		.map((pairs) =>
			pairs
				.map(([name, text], at) => `${at ? "&" : "?"}${name}=${text}`)
				.join(""),
		);
}

/** An operation that ends what the others need is only called on what does not exist. */
const endsWorld = (id: OperationId) =>
	/^(archive|delete|revoke|remove)/.test(id);

/** They need more than a schema says, and have tests of their own. */
const REFUSED: OperationId[] = [
	"evaluatePricingCalculator",
	"updateCustomFieldRule",
];

const toPath = fc.oneof(
	{ weight: 5, arbitrary: fc.constant(null) },
	{
		weight: 1,
		arbitrary: fc.constantFrom(
			"%00",
			"%ED%A0%80",
			"x".repeat(300),
			"..%2F",
			"%",
		),
	},
);

test("what is sent below gets as far as the database but for its odd members", async () => {
	const refused: string[] = [];
	for (const row of rows.filter(({ id, body }) => body && !endsWorld(id))) {
		const body = storedBody(row);
		const { status } = await api.call(row.id, {
			params: paramsIn(world, row),
			body,
		});
		if (status === 400) refused.push(row.id);
	}
	expect(refused).toEqual(REFUSED);
});

test.each(rows)(
	"$id answers anything without a fault",
	async (row) => {
		const own = paramsIn(world, row);
		const nobody = Object.fromEntries(
			Object.keys(own).map((name) => [
				name,
				"0192a1b2-c3d4-7e5f-8a6b-7c8d9e0f1a2b",
			]),
		);
		await fc.assert(
			fc.asyncProperty(
				toPath,
				queries(row),
				bodies(row),
				async (segment, query, body) => {
					const params = endsWorld(row.id) ? nobody : own;
					const path = row.path.replace(
						/\{(\w+)\}/g,
						(_, name: string) => segment ?? params[name] ?? "",
					);
					const text = body === undefined ? undefined : toJson(body);
					const answer = await api.request(row.method, path + query, {
						...(text !== undefined && { body: text }),
					});
					expect(answer.status).toBeLessThan(500);
				},
			),
			{ numRuns: 15 },
		);
	},
	20_000,
);

/** `-0` as it is, which JSON.stringify makes 0. */
const toJson = (value: unknown): string =>
	JSON.stringify(value, (_, inner) =>
		Object.is(inner, -0) ? "-0.0" : inner,
	).replaceAll('"-0.0"', "-0.0");
