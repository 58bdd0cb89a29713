import type { OperationId } from "@partnerwire/contract";
import { type AnyColumn, eq, getTableColumns } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, openApi } from "#kit/program/api.ts";
import { referencesTo } from "../../../shared/core/src/db/references-to.ts";
import { put } from "../support/id-members.ts";
import { PLANTED, plantNames } from "../support/plant-names.ts";
import { references } from "../support/reference-cases.ts";
import {
	collectionOf,
	DISTRIBUTOR,
	type Made,
	OPTION,
	referenceTo,
	SELECT,
} from "../support/references.ts";
import {
	bodyIn,
	createTableWorld,
	paramsIn,
	type Row,
	rows,
	type TableWorld,
} from "../support/table-world.ts";
import { referringBodyOf } from "../support/valid-body.ts";

/** Later effects of a stored reference, in a column with a foreign key or in JSON. */
let api: Api;
let own: TableWorld;
let foreign: TableWorld;
beforeAll(async () => {
	api = await openApi();
	const other = await api.addCompany();
	foreign = await createTableWorld(api, other.keys.full);
	await plantNames(api, other.company_uuid);
	own = await createTableWorld(api, api.seeded.keys.full);
});
afterAll(() => api.close());

const deletingOf = (collection: string) =>
	rows.find(
		({ id, path }) =>
			/^delete/.test(id) &&
			path.replace(/\/\{(subUuid|uuid|integration_id)\}$/, "") ===
				collection.replace("/api", ""),
	);

/** Records that are removed though others refer to them, each with the reason. */
const NOT_KEPT: Record<string, string> = {
	"/v1/contacts": "goes with its links to leads and campaigns",
	"/v1/integrations": "its subscriptions go with it",
	"/v1/pricing-calculators": "is archived, and stays",
};
/** Operations that store no reference. */
const NOT_STORED = /^(evaluate|delete|purge|createWebhookReplay)/;

const toBase = (collection: string) =>
	collection === OPTION
		? "/v1/custom-fields/{uuid}/options"
		: (collection.split("#")[0] as string);

const kept = references
	.filter(
		({ id, at }) => !NOT_STORED.test(id) && !at.startsWith("/custom_fields/"),
	)
	.map((one) => {
		const collection = collectionOf(one.row.path, one.name, one.inside);
		return { ...one, collection, deleting: deletingOf(toBase(collection)) };
	})
	.filter(
		({ collection, deleting }) => deleting && !NOT_KEPT[toBase(collection)],
	);

test("records are kept from every kind of place", () => {
	for (const base of Object.keys(NOT_KEPT))
		expect(deletingOf(base)).toBeDefined();
	expect(kept.map(({ id, at }) => `${id} ${at}`)).toEqual(
		expect.arrayContaining([
			"updatePartner /tier_uuid",
			"setDealCommission /calculation/entries/*/override/document/uuid",
			"createCommission /calculation/entries/*/payment_stage_id",
			"updatePricingCalculatorFormula /selected_sources/*/pricing_calculator_product_uuid",
			"updateRoomBlock /asset_uuid",
		]),
	);
});

let count = 0;
/** A new record of a collection, which nothing refers to yet, and the path parameters of its delete. */
async function createFresh({
	collection,
	deleting,
}: {
	collection: string;
	deleting: Row;
}) {
	const base = toBase(collection);
	const creating = rows.find(
		({ method, path }) => method === "POST" && path === base,
	) as Row;
	const [, kind] = collection.split("#");
	const body: Record<string, unknown> = {
		...bodyIn(own, creating),
		...kindMembers(collection, kind),
	};
	for (const member of ["label", "variable_name"])
		if (member in body) body[member] = `fresh_${++count}`;
	const params = paramsIn(own, deleting);
	if (collection === OPTION) params.uuid = own.uuids.get(SELECT) as string;
	const { status, body: made } = await api.call(creating.id, { params, body });
	expect([status, made]).toEqual([201, made]);
	const path = params.subUuid ? "subUuid" : "uuid";
	const known: Made = {
		uuids: new Map([[collection, made.uuid]]),
		others: new Map([[made.uuid, made.id]]),
	};
	return { known, params: { ...params, [path]: made.uuid } };
}

/** Members that a record of one kind of its collection must have. */
const kindMembers = (collection: string, kind: string | undefined) => {
	if (collection === SELECT)
		return { type: "select", category: "lead_deal", required: false };
	if (collection.startsWith("/v1/custom-fields#"))
		return { category: kind, required: false };
	return kind ? { type: kind } : {};
};

const otherwise = (): Partial<Record<string, object>> => ({
	updateCustomFieldRule: { lock: false, operator: "is_not_blank" },
	addDealPartner: { partnership_uuid: own.uuids.get(DISTRIBUTOR) },
});

describe("what is referred to is in use", () => {
	test.each(kept)(
		"$id $at",
		async ({ id, row, at, name, inside, collection, deleting }) => {
			const params = paramsIn(own, row);
			const whole = {
				...bodyIn(own, row, referringBodyOf(row)),
				...otherwise()[id],
			};
			const fresh = await createFresh({
				collection,
				deleting: deleting as Row,
			});
			const reference = referenceTo(fresh.known, row.path, name, inside);
			let body = put(whole, at, reference);
			// Options are those of their field.
			if (name === "customFieldId")
				body = put(body, at.replace(name, "tiers"), []);
			const stored = await api.call(id, { params, body });
			expect([stored.status, stored.body]).toEqual([row.status, stored.body]);
			const remove = () =>
				api.call((deleting as Row).id, { params: fresh.params });
			const answer = await remove();
			expect([answer.status, answer.body]).toEqual([409, answer.body]);
			expect(answer.body.error.message).toMatch(/use|anchored|inside|folder/);
		},
	);
});

/** A text with the other company's uuids for those of the world. */
const toForeign = (text: string) =>
	[...own.uuids].reduce(
		(all, [path, uuid]) =>
			all.replaceAll(uuid, foreign.uuids.get(path) ?? uuid),
		text,
	);

/** Where the company's rows hold uuids of the world without a foreign key, with those of the other company instead. */
async function replaceStored(companyUuid: string): Promise<string[]> {
	const replaced: string[] = [];
	await api.service.store.write(async ({ query, tables }) => {
		const names = Object.keys(tables) as (keyof typeof tables)[];
		const keys = new Set(
			names.flatMap((name) =>
				referencesTo(name).map(({ table, column }) => `${table} ${column}`),
			),
		);
		for (const name of names) {
			const columns: Record<string, AnyColumn> = getTableColumns(tables[name]);
			const key = columns.uuid ?? columns.dealUuid;
			// Logs and queues tell of what was; links to records are by whose they are.
			if (
				!columns.companyUuid ||
				!key ||
				/^(audit|event|idempotency|delivery)/.test(name)
			)
				continue;
			const stored: Record<string, unknown>[] = await query
				.select()
				.from(tables[name])
				.where(eq(columns.companyUuid, companyUuid));
			for (const row of stored)
				for (const [column, value] of Object.entries(row)) {
					if (
						columns[column] === key ||
						column === "recordUuid" ||
						keys.has(`${name} ${column}`)
					)
						continue;
					const text = JSON.stringify(value);
					const changed = toForeign(text);
					if (changed === text) continue;
					replaced.push(`${name} ${column}`);
					await query
						.update(tables[name])
						.set({ [column]: JSON.parse(changed) })
						.where(eq(key, row[key === columns.uuid ? "uuid" : "dealUuid"]));
				}
		}
	});
	return [...new Set(replaced)].sort();
}

/** Operations whose bodies refer to records in JSON, and the members beside it that have a column of their own. */
const KEEPING: OperationId[] = [
	"updatePricingCalculatorFormula",
	"setDealCommission",
	"updateCommission",
	"setLeadQuote",
];
const OF_COLUMNS = [
	"currency_uuid",
	"partnership_uuid",
	"pricing_calculator_uuid",
];
const ORDER = ["GET", "PATCH", "PUT", "DELETE"];
/** Operations on records by their own path; those that reach over the network have tests of their own. */
const onRecords = rows
	.filter(({ method, mode }) => ORDER.includes(method) && mode !== "action")
	.sort((a, b) => ORDER.indexOf(a.method) - ORDER.indexOf(b.method));

test("a stored reference to another company's record tells no name of it", async () => {
	const { keys, company_uuid: companyUuid } = await api.addCompany();
	own = await createTableWorld(api, keys.full);
	const whole = (row: Row) => bodyIn(own, row, referringBodyOf(row));
	for (const row of onRecords)
		if (row.body && row.method !== "DELETE")
			await api.call(row.id, {
				key: keys.full,
				params: paramsIn(own, row),
				body: whole(row),
			});
	const replaced = await replaceStored(companyUuid);
	expect(replaced).toEqual(
		expect.arrayContaining([
			"calculatorFormula formulaConfig",
			"calculatorFormula selectedProductUuid",
			"calculatorFormula selectedSources",
			"commissionRule calculation",
			"dealCommission calculation",
			"quote lineItems",
			"quote pricingCalculatorUuid",
		]),
	);
	// An existing reference is no change (docs/decisions.md#patch), though a new one would be refused.
	for (const id of KEEPING) {
		const row = rows.find((one) => one.id === id) as Row;
		const repeated = JSON.parse(toForeign(JSON.stringify(whole(row))));
		for (const member of OF_COLUMNS)
			if (member in repeated) repeated[member] = null;
		const { status, body } = await api.call(id, {
			key: keys.full,
			params: paramsIn(own, row),
			body: repeated,
		});
		expect([id, status, body]).toEqual([id, row.status, body]);
	}
	for (const row of onRecords) {
		const { body } = await api.call(row.id, {
			key: keys.full,
			params: paramsIn(own, row),
			...(row.body && { body: bodyIn(own, row) }),
		});
		expect(JSON.stringify(body), row.id).not.toContain(PLANTED);
	}
	const { query, tables } = api.service.store.read;
	const { audit, event } = tables;
	for (const table of [audit, event]) {
		const told = await query
			.select()
			.from(table)
			.where(eq(table.companyUuid, companyUuid));
		const text = JSON.stringify(told);
		expect(text).not.toContain(PLANTED);
		// The replaced reference is reported as a bare uuid.
		if (table === audit)
			expect(text).toContain(foreign.uuids.get("/v1/products"));
	}
});
