// The types of the helpers that define rows of the operation table.

import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";
import { configuration, crud, nestedCrud } from "../src/table/crud.ts";
import { defineChanges } from "../src/table/define-changes.ts";
import { links } from "../src/table/links.ts";
import type { Pagination, pageQuery } from "../src/table/list-query.ts";
import {
	defineAction,
	defineEvaluation,
	defineRead,
	defineWrite,
	type Operation,
} from "../src/table/operation.ts";
import {
	type NoParams,
	RecordParams,
	SubRecordParams,
} from "../src/table/params.ts";
import type { Uuid } from "../src/table/uuid.ts";
import type { Done, Merged, Read, Sub, Write } from "./support/rows.ts";

const Item = z.object({ uuid: z.string(), size: z.int() });
const Create = z.object({ size: z.int() });
const Update = Create.partial();
const filters = { size: z.string().optional() };

type Item = typeof Item;
type Create = typeof Create;
type Update = typeof Update;
type Filters = typeof filters;

type PageOf<One extends z.ZodType> = z.ZodObject<{
	data: z.ZodArray<One>;
	pagination: typeof Pagination;
}>;
const at = { path: "/v1/x", summary: "X", group: "X" } as const;
const record = {
	noun: "Thing",
	plural: "Things",
	path: "/v1/things",
	item: Item,
	create: Create,
	update: Update,
	filters,
} as const;

describe("the permission", () => {
	test("follows from the method", () => {
		const read = defineRead({ ...at, response: Item });
		const write = defineWrite({ ...at, method: "PUT", response: Item });
		expectTypeOf(read.permission).toEqualTypeOf<"read">();
		expectTypeOf(write.permission).toEqualTypeOf<"write">();
		expectTypeOf<
			Operation<"read", "POST">["permission"]
		>().toEqualTypeOf<"write">();
		defineWrite({
			...at,
			method: "POST",
			response: Item,
			// @ts-expect-error a row cannot set this member
			permission: "read",
		});
	});
});

describe("defineRead", () => {
	test("is a GET without a body; what is left out is empty", () => {
		expectTypeOf(defineRead({ ...at, response: Item })).toEqualTypeOf<
			Read<NoParams, NoParams, Item>
		>();
		expectTypeOf(
			defineRead({
				...at,
				params: RecordParams,
				query: Create,
				response: z.array(Item),
			}),
		).toEqualTypeOf<Read<RecordParams, Create, z.ZodArray<Item>>>();
		// @ts-expect-error a read has no other method
		defineRead({ ...at, response: Item, method: "POST" });
		// @ts-expect-error a read takes no body
		defineRead({ ...at, response: Item, body: Create });
		// @ts-expect-error each row answers something
		defineRead(at);
	});
});

describe("defineWrite, defineAction and defineEvaluation", () => {
	const spec = {
		...at,
		method: "PATCH",
		params: SubRecordParams,
		query: Update,
		body: Create,
		response: Item,
	} as const;

	test("keep what is said, each under its mode", () => {
		expectTypeOf(defineWrite(spec)).toEqualTypeOf<
			Operation<"write", "PATCH", Sub, Update, Create, Item>
		>();
		expectTypeOf(defineAction(spec)).toEqualTypeOf<
			Operation<"action", "PATCH", Sub, Update, Create, Item>
		>();
		expectTypeOf(defineEvaluation(spec)).toEqualTypeOf<
			Operation<"read", "PATCH", Sub, Update, Create, Item>
		>();
	});

	test("without a body there is none", () => {
		expectTypeOf(
			defineWrite({ ...at, method: "DELETE", response: Item }),
		).toEqualTypeOf<Write<"DELETE", NoParams, null, Item>>();
	});

	test("none is a GET, or without a method", () => {
		// @ts-expect-error GET is for what reads
		defineWrite({ ...spec, method: "GET" });
		// @ts-expect-error GET is for what reads
		defineAction({ ...spec, method: "GET" });
		// @ts-expect-error an evaluation takes a body
		defineEvaluation({ ...spec, method: "GET" });
		// @ts-expect-error the method is missing
		defineWrite({ ...at, response: Item });
		// @ts-expect-error no event has this name
		defineWrite({ ...spec, emits: ["lead_exploded"] });
	});
});

describe("defineChanges", () => {
	test("is create, update and the given removal", () => {
		const rows = defineChanges(record, {
			removal: "drop",
			group: "X",
			path: "/v1/x",
			one: "/v1/x/{uuid}",
			params: RecordParams,
			oneParams: SubRecordParams,
		});
		expectTypeOf<Merged<typeof rows>>().toEqualTypeOf<{
			readonly createThing: Write<"POST", RecordParams, Create, Item>;
			readonly updateThing: Write<"PATCH", Sub, Update, Item>;
			readonly dropThing: Write<"DELETE", Sub, null, Done>;
		}>();
	});
});

type Page = PageOf<Item>;
type Things = {
	readonly getThing: Read<RecordParams, NoParams, Item>;
	readonly createThing: Write<"POST", NoParams, Create, Item>;
	readonly updateThing: Write<"PATCH", RecordParams, Update, Item>;
};

describe("crud", () => {
	type List = {
		readonly listThings: Read<
			NoParams,
			z.ZodObject<Merged<typeof pageQuery & Filters>>,
			Page
		>;
	};

	test("what is archived can be restored", () => {
		const rows = crud({ ...record, removal: "archive" });
		expectTypeOf<Merged<typeof rows>>().toEqualTypeOf<
			Merged<
				List &
					Things & {
						readonly archiveThing: Write<"DELETE", RecordParams, null, Done>;
						readonly restoreThing: Write<"POST", RecordParams, null, Item>;
					}
			>
		>();
	});

	test("what is deleted cannot", () => {
		const rows = crud({ ...record, removal: "delete" });
		expectTypeOf<Merged<typeof rows>>().toEqualTypeOf<
			Merged<
				List &
					Things & {
						readonly deleteThing: Write<"DELETE", RecordParams, null, Done>;
					}
			>
		>();
	});

	test("a wrong definition does not compile", () => {
		// @ts-expect-error a body is a schema
		crud({ ...record, removal: "delete", create: { size: 1 } });
		// @ts-expect-error a response is a schema
		crud({ ...record, removal: "delete", item: "Thing" });
		// @ts-expect-error a path begins at the root
		crud({ ...record, removal: "delete", path: "v1/things" });
	});
});

describe("configuration", () => {
	test("its list is bare and has no page", () => {
		const rows = configuration(record);
		expectTypeOf<Merged<typeof rows>>().toEqualTypeOf<
			Merged<
				Things & {
					readonly listThings: Read<
						NoParams,
						z.ZodObject<Filters>,
						z.ZodArray<Item>
					>;
					readonly deleteThing: Write<"DELETE", RecordParams, null, Done>;
				}
			>
		>();
		// @ts-expect-error a change of configuration emits nothing
		configuration({ ...record, emits: { create: [], update: [], remove: [] } });
	});
});

describe("nestedCrud", () => {
	const nested = { ...record, segment: "things", group: "X" } as const;

	test("its rows are under a parent", () => {
		const rows = nestedCrud({ ...nested, parent: "/v1/x/{uuid}" });
		expectTypeOf<Merged<typeof rows>>().toEqualTypeOf<{
			readonly listThings: Read<RecordParams, NoParams, z.ZodArray<Item>>;
			readonly createThing: Write<"POST", RecordParams, Create, Item>;
			readonly updateThing: Write<"PATCH", Sub, Update, Item>;
			readonly deleteThing: Write<"DELETE", Sub, null, Done>;
		}>();
		// @ts-expect-error the parent is one record
		nestedCrud({ ...nested, parent: "/v1/x" });
	});
});

describe("links", () => {
	test("the body names the record to link", () => {
		const rows = links({
			...record,
			what: "thing",
			member: "thing_uuid",
			parent: "/v1/x/{uuid}",
			segment: "things",
			group: "X",
		});
		type Body = z.ZodObject<{ thing_uuid: typeof Uuid }>;
		expectTypeOf<Merged<typeof rows>>().toEqualTypeOf<{
			readonly listThings: Read<RecordParams, NoParams, z.ZodArray<Item>>;
			readonly addThing: Write<"POST", RecordParams, Body, Item>;
			readonly removeThing: Write<"DELETE", Sub, null, Done>;
		}>();
	});
});
