// The types that definePlain derives from a definition of plain records.

import { describe, expectTypeOf, test } from "vitest";
import * as z from "zod";
import type { NoParams, RecordParams } from "../src/table/params.ts";
import { definePlain } from "../src/table/plain.ts";
import type { Read, Write } from "./support/rows.ts";

describe("definePlain", () => {
	const spec = {
		noun: "Thing",
		plural: "Things",
		path: "/v1/things",
		name: "label",
		mandatory: { label: z.string(), owner_uuid: z.string() },
		fixed: { kind: z.literal("a") },
		optional: { size: z.int(), note: z.string().nullable() },
		shown: { owner: z.object({ uuid: z.string(), size: z.int() }) },
	} as const;
	const plain = definePlain({
		...spec,
		removal: "archive",
		defaults: { size: 1 },
		filters: { kind: z.string().optional() },
	});
	const { operations } = plain;
	type Rows = typeof operations;

	test("a record shows what was written, and a reference in place of its uuid", () => {
		expectTypeOf<z.output<typeof plain.item>>().toEqualTypeOf<{
			uuid: string;
			label: string;
			kind: "a";
			size: number;
			note: string | null;
			owner: { uuid: string; size: number };
			archived_at: string | null;
			created_at: string;
			updated_at: string;
		}>();
		expectTypeOf<keyof Rows>().toEqualTypeOf<
			| "listThings"
			| `${"get" | "create" | "update" | "archive" | "restore"}Thing`
		>();
		expectTypeOf<Rows["getThing"]>().toEqualTypeOf<
			Read<RecordParams, NoParams, typeof plain.item>
		>();
	});

	test("a create must have what is mandatory or fixed; an update changes what is not fixed", () => {
		expectTypeOf<Rows["createThing"]>().toEqualTypeOf<
			Write<
				"POST",
				NoParams,
				z.ZodObject<{
					size: z.ZodDefault<z.ZodInt>;
					note: z.ZodOptional<z.ZodNullable<z.ZodString>>;
					kind: z.ZodLiteral<"a">;
					label: z.ZodString;
					owner_uuid: z.ZodString;
				}>,
				typeof plain.item
			>
		>();
		expectTypeOf<z.input<Rows["updateThing"]["body"]>>().toEqualTypeOf<{
			label?: string | undefined;
			owner_uuid?: string | undefined;
			size?: number | undefined;
			note?: string | null | undefined;
		}>();
	});

	test("a list is searched, sorted and filtered; what is archived is asked for", () => {
		expectTypeOf<z.output<Rows["listThings"]["query"]>>().toEqualTypeOf<{
			page: number;
			per_page: number;
			search?: string | undefined;
			kind?: string | undefined;
			archived: boolean;
			sort?: `${"" | "-"}${"created_at" | "updated_at" | "label"}` | undefined;
		}>();
		expectTypeOf<
			z.output<Rows["listThings"]["response"]>["data"]
		>().toEqualTypeOf<z.output<typeof plain.item>[]>();
	});

	test("what is deleted has no archive", () => {
		const { item, operations } = definePlain({ ...spec, removal: "delete" });
		expectTypeOf<keyof typeof operations>().toEqualTypeOf<
			"listThings" | `${"get" | "create" | "update" | "delete"}Thing`
		>();
		expectTypeOf<z.output<typeof item>>().not.toHaveProperty("archived_at");
		expectTypeOf<
			z.output<typeof operations.listThings.query>
		>().not.toHaveProperty("archived");
	});

	test("a wrong definition does not compile", () => {
		// @ts-expect-error a record is archived or deleted
		definePlain({ ...spec, removal: "drop" });
		// @ts-expect-error a default is a value of its member
		definePlain({ ...spec, removal: "delete", defaults: { size: "big" } });
	});
});
