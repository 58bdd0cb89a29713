// Each page of each list shows one moment, whatever others write meanwhile: as many rows as its total promises, and only
// rows that match.

import { afterAll, beforeAll, expect, test } from "vitest";
import type * as z from "zod";
import { type Api, openApi } from "#kit/program/api.ts";
import {
	bodyIn,
	createTableWorld,
	paramsIn,
	type Row,
	rows,
	type TableWorld,
} from "../support/table-world.ts";
import { toSchema } from "../support/valid-body.ts";

const membersOf = (schema: z.ZodType): Record<string, unknown> =>
	(schema as z.ZodObject).shape ?? {};
const lists = rows.filter(
	({ mode, response }) =>
		mode === "read" && "pagination" in membersOf(response),
);
const findRow = (method: Row["method"], path: string) =>
	rows.find((row) => row.method === method && row.path === path);

let api: Api;
let world: TableWorld;
beforeAll(async () => {
	api = await openApi();
	world = await createTableWorld(api, api.seeded.keys.full);
});
afterAll(() => api.close());

const NAME = /^(label|name|title|company_name|first_name|file_name)$/;
const nameOf = (row: Row): string | undefined =>
	row.body === null
		? undefined
		: Object.keys(toSchema(row.body).properties ?? {}).find((member) =>
				NAME.test(member),
			);

let made = 0;
/** A name that every second record has, and that changes with each name given. */
const nextName = () => `${made++ % 2 ? "Walnut" : "Birch"} ${made}`;

/** Creates, renames, removes or archives, and restores records of a list, one of each in parallel. */
function createWriter(list: Row): () => Promise<void> {
	const creating = findRow("POST", list.path);
	// Nothing creates entries of the audit log or deliveries but changes of other records.
	if (!creating || list.path.includes("{"))
		return createWriter(lists.find(({ id }) => id === "listPartners") as Row);
	const one = `${list.path}/{uuid}`;
	const uuids: string[] = [];
	const pick = () => uuids[made++ % uuids.length];
	const write = async (row: Row | undefined, uuid?: string) => {
		if (!row || (row !== creating && uuid === undefined)) return;
		const body = bodyIn(world, row);
		const name = nameOf(row);
		const { status, body: answer } = await api.call(row.id, {
			params: { ...paramsIn(world, creating), ...(uuid && { uuid }) },
			...(body && {
				body: {
					...body,
					...(name && { [name]: nextName() }),
					...("email" in body && { email: `one${made++}@walnut.example` }),
				},
			}),
		});
		// Some values are taken, and some records are gone by now.
		expect([200, 201, 400, 404, 409], row.id).toContain(status);
		if (row === creating && status < 300) uuids.push(answer.uuid);
	};
	return async () => {
		await Promise.all([
			write(creating),
			write(creating),
			write(findRow("PATCH", one), pick()),
			write(findRow("DELETE", one), pick()),
			write(findRow("POST", `${one}/restore`), pick()),
		]);
	};
}

function queriesOf({ query }: Row): string[] {
	const known = membersOf(query);
	const filters = [
		"",
		...("search" in known ? ["&search=wAL"] : []),
		...("archived" in known ? ["&archived=true"] : []),
		...("archived" in known && "search" in known
			? ["&archived=true&search=walnut"]
			: []),
	];
	return filters.flatMap((filter) => [
		`?per_page=3${filter}`,
		`?per_page=3&page=2${filter}`,
		`?per_page=100${filter}`,
	]);
}

async function checkPage(list: Row, query: string): Promise<void> {
	const where = `${list.id} ${query}`;
	const { status, body } = await api.call(list.id, { query });
	expect(status, where).toBe(200);
	const { page, per_page, total } = body.pagination;
	const promised = Math.max(
		0,
		Math.min(per_page, total - (page - 1) * per_page),
	);
	expect(body.data.length, where).toBe(promised);
	const known = new URLSearchParams(query);
	for (const row of body.data) {
		if ("archived" in membersOf(list.query))
			expect(row.archived_at !== null, where).toBe(known.has("archived"));
		if (known.has("search"))
			expect(JSON.stringify(row).toLowerCase(), where).toContain(
				known.get("search")?.toLowerCase(),
			);
	}
}

test.each(lists.map((list) => [list.id, list] as const))(
	"%s: each page is of one moment",
	async (_, list) => {
		const write = createWriter(list);
		for (let rounds = 0; rounds < 3; rounds++) await write();
		let isReading = true;
		const writeOn = async () => {
			while (isReading) await write();
		};
		const writing = Promise.all([writeOn(), writeOn()]);
		try {
			for (let rounds = 0; rounds < 4; rounds++)
				await Promise.all(
					queriesOf(list).map((query) => checkPage(list, query)),
				);
		} finally {
			isReading = false;
			await writing;
		}
	},
);
