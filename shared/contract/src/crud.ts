import { z } from "zod";
import { defineChanges, type RecordSpec } from "./define-changes.ts";
import { defineRead, defineWrite, type Operation } from "./operation.ts";
import { type Page, pageOf, pageQuery } from "./pagination.ts";
import { NoParams, RecordParams, SubRecordParams } from "./params.ts";
import { toTitle, toWords, withArticle } from "./words.ts";

/** What brings an archived record back; without an archive there is nothing. */
type Restore<
	Removal,
	Noun extends string,
	Item extends z.ZodType,
> = Removal extends "archive"
	? {
			readonly [Key in `restore${Noun}`]: Operation<
				"write",
				RecordParams,
				NoParams,
				null,
				Item
			>;
		}
	: Record<never, never>;

/**
 * The ordinary five operations of a record: list (paginated), get, create, update, and DELETE under the given verb:
 * records are archived, sub-records deleted (decisions §1). What is archived, `POST …/restore` brings back.
 *
 * @example
 * crud({ noun: "Lead", plural: "Leads", removal: "archive", path: "/v1/leads", … }); // { listLeads, getLead, createLead, updateLead, archiveLead, restoreLead }
 */
export function crud<
	const Noun extends string,
	const Plural extends string,
	const Removal extends string,
	Item extends z.ZodType,
	Filters extends z.ZodRawShape,
	Create extends z.ZodType,
	Update extends z.ZodType,
>(
	spec: RecordSpec<Noun, Plural, Item, Create, Update> & {
		readonly removal: Removal;
		readonly path: `/${string}`;
		readonly filters: Filters;
		/** The spec's resource group; the plural, in words, when left out. */
		readonly group?: string;
	},
) {
	const { path, item, removal } = spec;
	const group = spec.group ?? toTitle(spec.plural);
	const one = `${path}/{uuid}` as const;
	const reads = {
		[`list${spec.plural}`]: defineRead({
			group,
			path,
			summary: `List ${toWords(spec.plural)}`,
			query: z.object({ ...pageQuery, ...spec.filters }),
			response: pageOf(item),
		}),
		[`get${spec.noun}`]: defineRead({
			group,
			path: one,
			summary: `Get ${withArticle(toWords(spec.noun))}`,
			params: RecordParams,
			response: item,
		}),
	} as unknown as {
		readonly [Key in `list${Plural}`]: Operation<
			"read",
			NoParams,
			z.ZodObject<typeof pageQuery & Filters>,
			null,
			z.ZodType<Page<z.output<Item>>>
		>;
	} & {
		readonly [Key in `get${Noun}`]: Operation<
			"read",
			RecordParams,
			NoParams,
			null,
			Item
		>;
	};
	const restore = {
		[`restore${spec.noun}`]: defineWrite({
			method: "POST",
			group,
			path: `${one}/restore`,
			params: RecordParams,
			summary: `Bring an archived ${toWords(spec.noun)} back`,
			response: item,
			emits: spec.emits?.update ?? [],
		}),
	} as unknown as Restore<Removal, Noun, Item>;
	const at = { removal, group, path, one };
	const params = { params: NoParams, oneParams: RecordParams };
	const changes = defineChanges(spec, { ...at, ...params });
	return {
		...reads,
		...changes,
		...(removal === "archive" && restore),
	} as typeof reads & typeof changes & typeof restore;
}

/**
 * The ordinary five operations of what a company configures: crud() whose list is bare, all records of it, whatever
 * `page` says (decisions §1: bare arrays), and whose changes emit nothing.
 */
export function configuration<
	const Noun extends string,
	const Plural extends string,
	Item extends z.ZodType,
	Filters extends z.ZodRawShape,
	Create extends z.ZodType,
	Update extends z.ZodType,
>(spec: {
	readonly noun: Noun;
	readonly plural: Plural;
	readonly path: `/${string}`;
	readonly item: Item;
	readonly create: Create;
	readonly update: Update;
	readonly filters: Filters;
	readonly group?: string;
}) {
	const { [`list${spec.plural}`]: _, ...others } = crud({
		...spec,
		removal: "delete",
	}) as Record<string, Operation>;
	const list = defineRead({
		group: spec.group ?? toTitle(spec.plural),
		path: spec.path,
		summary: `List all ${toWords(spec.plural)}`,
		query: z.object(spec.filters),
		response: z.array(spec.item),
	});
	return { [`list${spec.plural}`]: list, ...others } as unknown as {
		readonly [Key in `list${Plural}`]: typeof list;
	} & Omit<
		ReturnType<
			typeof crud<Noun, Plural, "delete", Item, Filters, Create, Update>
		>,
		`list${Plural}`
	>;
}

/** The four operations of a record under a parent: a bare list (decisions §1), create, update, delete. */
export function nestedCrud<
	const Noun extends string,
	const Plural extends string,
	Item extends z.ZodType,
	Create extends z.ZodType,
	Update extends z.ZodType,
>(
	spec: RecordSpec<Noun, Plural, Item, Create, Update> & {
		/** The parent's path: `/v1/leads/{uuid}`. */
		readonly parent: `/${string}/{uuid}`;
		readonly segment: string;
		readonly group: string;
	},
) {
	const { group, item } = spec;
	const path = `${spec.parent}/${spec.segment}` as const;
	const one = `${path}/{subUuid}` as const;
	const reads = {
		[`list${spec.plural}`]: defineRead({
			group,
			path,
			summary: `List ${toWords(spec.plural)}`,
			params: RecordParams,
			response: z.array(item),
		}),
	} as unknown as {
		readonly [Key in `list${Plural}`]: Operation<
			"read",
			RecordParams,
			NoParams,
			null,
			z.ZodArray<Item>
		>;
	};
	const at = { removal: "delete", group, path, one } as const;
	const params = { params: RecordParams, oneParams: SubRecordParams };
	return { ...reads, ...defineChanges(spec, { ...at, ...params }) };
}
