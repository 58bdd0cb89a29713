import { z } from "zod";
import type { EventId } from "./event-ids.ts";
import { defineRead, defineWrite, type Operation } from "./operation.ts";
import { type Page, pageOf, pageQuery } from "./pagination.ts";
import { Uuid } from "./uuid.ts";
import { capitalise, toTitle, toWords, withArticle } from "./words.ts";

/** The answer of every DELETE (decisions §1). */
export const Success = z.object({ success: z.literal(true) });
export type Success = z.infer<typeof Success>;

/** Path parameters of a record. */
export const RecordParams = z.object({ uuid: Uuid });
export type RecordParams = typeof RecordParams;
/** Path parameters of a record under a parent: `{uuid}` is the parent (spec, Endpoints: conventions). */
export const SubRecordParams = z.object({ uuid: Uuid, subUuid: Uuid });

const NoParams = z.object({});
export type NoParams = typeof NoParams;

export interface RecordSpec<
	Noun extends string,
	Plural extends string,
	Item extends z.ZodType,
	Create extends z.ZodType,
	Update extends z.ZodType,
> {
	readonly noun: Noun;
	readonly plural: Plural;
	readonly item: Item;
	readonly create: Create;
	readonly update: Update;
	/** Left out where nothing is emitted. */
	readonly emits?: Readonly<
		Record<"create" | "update" | "remove", readonly EventId[]>
	>;
}

type AnyRecordSpec = RecordSpec<
	string,
	string,
	z.ZodType,
	z.ZodType,
	z.ZodType
>;

/** Create, update and DELETE under the operation ids that the nouns make. */
type Changes<
	Spec extends AnyRecordSpec,
	Removal extends string,
	Parent extends z.ZodType,
	One extends z.ZodType,
> = {
	readonly [Key in `create${Spec["noun"]}`]: Operation<
		"write",
		Parent,
		NoParams,
		Spec["create"],
		Spec["item"]
	>;
} & {
	readonly [Key in `update${Spec["noun"]}`]: Operation<
		"write",
		One,
		NoParams,
		Spec["update"],
		Spec["item"]
	>;
} & {
	readonly [Key in `${Removal}${Spec["noun"]}`]: Operation<
		"write",
		One,
		NoParams,
		null,
		typeof Success
	>;
};

function defineChanges<
	Spec extends AnyRecordSpec,
	Removal extends string,
	Parent extends z.ZodType,
	One extends z.ZodType,
>(
	spec: Spec,
	at: {
		removal: Removal;
		group: string;
		path: `/${string}`;
		one: `/${string}`;
		params: Parent;
		oneParams: One;
	},
): Changes<Spec, Removal, Parent, One> {
	const { group, path, one: onePath } = at;
	const one = { group, path: onePath, params: at.oneParams };
	const noun = withArticle(toWords(spec.noun));
	return {
		[`create${spec.noun}`]: defineWrite({
			method: "POST",
			group,
			path,
			params: at.params,
			summary: `Create ${noun}`,
			body: spec.create,
			response: spec.item,
			status: 201,
			emits: spec.emits?.create ?? [],
		}),
		[`update${spec.noun}`]: defineWrite({
			...one,
			method: "PATCH",
			summary: `Update ${noun}`,
			body: spec.update,
			response: spec.item,
			emits: spec.emits?.update ?? [],
		}),
		[`${at.removal}${spec.noun}`]: defineWrite({
			...one,
			method: "DELETE",
			summary: `${capitalise(at.removal)} ${noun}`,
			response: Success,
			emits: spec.emits?.remove ?? [],
		}),
	} as Changes<Spec, Removal, Parent, One>;
}

/**
 * The ordinary five operations of a record: list (paginated), get, create, update, and DELETE under the given verb:
 * records are archived, sub-records deleted (decisions §1).
 *
 * @example
 * crud({ noun: "Lead", plural: "Leads", removal: "archive", path: "/v1/leads", … }); // { listLeads, getLead, createLead, updateLead, archiveLead }
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
	const at = { removal, group, path, one };
	const params = { params: NoParams, oneParams: RecordParams };
	return { ...reads, ...defineChanges(spec, { ...at, ...params }) };
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
