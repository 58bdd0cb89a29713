// The types of the rows for custom field values.

import type { Operations } from "@partnerwire/contract";
import { describe, expectTypeOf, test } from "vitest";
import type * as z from "zod";
import type {
	CustomFieldsBody,
	CustomFieldUuids,
	CustomFieldValueBody,
} from "../src/resources/custom-fields/custom-field.ts";
import type { RecordCustomField } from "../src/resources/custom-fields/custom-field-value.ts";
import type { Operation } from "../src/table/operation.ts";
import type { NoParams, RecordParams } from "../src/table/params.ts";
import type { Done, Read, Sub, Write } from "./support/rows.ts";

describe("the custom field values of a record", () => {
	type List = z.ZodArray<typeof RecordCustomField>;
	type One = typeof RecordCustomField;
	type All = typeof CustomFieldsBody;
	type Value = typeof CustomFieldValueBody;

	test("all of them", () => {
		expectTypeOf<Operations["listLeadCustomFields"]>().toEqualTypeOf<
			Read<RecordParams, NoParams, List>
		>();
		expectTypeOf<Operations["setDealCustomFields"]>().toEqualTypeOf<
			Write<"PUT", RecordParams, All, List>
		>();
		expectTypeOf<Operations["updatePartnerCustomFields"]>().toEqualTypeOf<
			Write<"PATCH", RecordParams, All, List>
		>();
		type Remove = Operations["deleteLeadCustomFields"];
		expectTypeOf<Remove>().toEqualTypeOf<
			Operation<
				"write",
				"DELETE",
				RecordParams,
				Remove["query"],
				typeof CustomFieldUuids,
				Done
			>
		>();
		expectTypeOf<z.output<Remove["query"]>>().toEqualTypeOf<{
			uuids?: string[] | undefined;
		}>();
	});

	test("one of them", () => {
		expectTypeOf<Operations["getLeadCustomField"]>().toEqualTypeOf<
			Read<Sub, NoParams, One>
		>();
		expectTypeOf<Operations["setDealCustomField"]>().toEqualTypeOf<
			Write<"PUT", Sub, Value, One>
		>();
		expectTypeOf<Operations["updatePartnerCustomField"]>().toEqualTypeOf<
			Write<"PATCH", Sub, Value, One>
		>();
		expectTypeOf<Operations["deleteLeadCustomField"]>().toEqualTypeOf<
			Write<"DELETE", Sub, null, Done>
		>();
	});
});
