import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { openFieldWorld, SURFACES } from "../support/fields.ts";
import { createPartner } from "../support/records.ts";

const page = readFileSync(
	join(import.meta.dirname, "../../../docs/custom-fields.md"),
	"utf8",
);
const examples = [...page.matchAll(/```http\n(.*?)```/gs)].flatMap(
	([, block = ""]) => block.trim().split("\n\n"),
);

let api: Api;
const names = new Map<string, unknown>();
beforeAll(async () => {
	api = await openApi();
	const partner = await createPartner(api, { partner_type: "reseller" });
	names.set("$partner", partner.uuid);
});
afterAll(() => api.close());

/** Puts what names stand for in their place; a name that stands alone in a JSON text keeps its type. */
const fill = (text: string): string =>
	text
		.replace(/"(\$\w+)"(?!:)/g, (whole, name) =>
			names.has(name) ? JSON.stringify(names.get(name)) : whole,
		)
		.replace(/\$\w+/g, (name) => String(names.get(name) ?? name));

/** Names that are new get what was answered in their place. */
function learn(expected: unknown, answered: unknown): void {
	if (typeof expected === "string" && /^\$\w+$/.test(expected)) {
		names.set(expected, answered);
	} else if (typeof expected === "object" && expected !== null) {
		for (const [key, value] of Object.entries(expected))
			learn(value, (answered as Record<string, unknown> | undefined)?.[key]);
	}
}

test("the examples answer what the page says, in their order", async () => {
	expect(examples.length).toBeGreaterThan(20);
	for (const example of examples) {
		const [, method = "", path = "", body, status, answer] =
			/^(\w+) (\S+)(?: (.*))?\n=> (\d+) (.*)$/.exec(example) ?? [];
		const given = await api.request(
			method,
			fill(`/v1${path}`),
			body ? { body: fill(body) } : {},
		);
		expect([given.status, example]).toEqual([Number(status), example]);
		learn(JSON.parse(fill(answer as string)), given.body);
		expect(given.body, example).toMatchObject(
			JSON.parse(fill(answer as string)),
		);
	}
});

const rows = [
	...page.matchAll(/^\| `(\w+)` \| `(\{.*\})` \| `(.*)` \|$/gm),
].map(([, type = "", written = "", stored = ""]) => ({
	type,
	written,
	stored,
}));

test.each(rows)(
	"A152 A153 A156 A160 $type: $written is stored as $stored",
	async ({ type, written, stored }) => {
		const [leads] = SURFACES;
		const world = await openFieldWorld(api, leads);
		const options = ["One", "Two"].map((label) => ({ label }));
		const field = await world.define({
			type,
			...(type.includes("select") && { options }),
		});
		const toIds = (text: string) =>
			type.includes("select")
				? text.replace(/\d/g, (place) => field.options[Number(place) - 1].id)
				: text;
		const record = await world.make([[field, JSON.parse(toIds(written))]]);
		expect(await world.values(record)).toEqual({
			[field.uuid]: JSON.parse(toIds(stored)),
		});
	},
);

test("every type is in the table, and every reason on the page", () => {
	expect(new Set(rows.map(({ type }) => type)).size).toBe(11);
	for (const reason of [
		"missing_required",
		"required_cannot_blank",
		"hidden_by_rule",
		"locked_by_rule",
		"not_accessible",
		"unknown_field",
		"invalid_value",
		"invalid_option",
	]) {
		expect(page).toContain(`| \`${reason}\` |`);
		expect(page).toContain(`"reason": "${reason}"`);
	}
});
