import type { z } from "zod";
import { crud, type NoParams, RecordParams, type RecordSpec } from "./crud.ts";
import { defineWrite, type Operation } from "./operation.ts";
import { toTitle, toWords } from "./words.ts";

/** crud() of a record that DELETE archives, and `POST …/restore`, which brings it back (decisions §1). */
export function archivable<
	const Noun extends string,
	const Plural extends string,
	Item extends z.ZodType,
	Filters extends z.ZodRawShape,
	Create extends z.ZodType,
	Update extends z.ZodType,
>(
	spec: RecordSpec<Noun, Plural, Item, Create, Update> & {
		readonly path: `/${string}`;
		readonly filters: Filters;
	},
) {
	const restore = defineWrite({
		method: "POST",
		group: toTitle(spec.plural),
		path: `${spec.path}/{uuid}/restore`,
		params: RecordParams,
		summary: `Bring an archived ${toWords(spec.noun)} back`,
		response: spec.item,
		emits: spec.emits?.update ?? [],
	});
	return {
		...crud({ ...spec, removal: "archive" }),
		[`restore${spec.noun}`]: restore,
	} as unknown as ReturnType<
		typeof crud<Noun, Plural, "archive", Item, Filters, Create, Update>
	> & {
		readonly [Key in `restore${Noun}`]: Operation<
			"write",
			RecordParams,
			NoParams,
			null,
			Item
		>;
	};
}
