import { z } from "zod";
import type { EventId } from "./event-ids.ts";
import { defineRead, defineWrite, type Operation } from "./operation.ts";
import { type Page, pageOf, pageQuery } from "./pagination.ts";
import { Uuid } from "./uuid.ts";

/** The answer of every DELETE (decisions §1). */
export const Success = z.object({ success: z.literal(true) });
export type Success = z.infer<typeof Success>;

/** Path parameters of a record. */
export const RecordParams = z.object({ uuid: Uuid });
/** Path parameters of a record under a parent: `{uuid}` is the parent (spec, Endpoints: conventions). */
export const SubRecordParams = z.object({ uuid: Uuid, subUuid: Uuid });

interface CrudSpec<
	Noun extends string,
	Plural extends string,
	Removal extends string,
	Item extends z.ZodType,
	Filters extends z.ZodRawShape,
	Create extends z.ZodType,
	Update extends z.ZodType,
> {
	readonly noun: Noun;
	readonly plural: Plural;
	/** The verb of DELETE: records are archived, sub-records are deleted (decisions §1). */
	readonly removal: Removal;
	readonly path: `/${string}`;
	readonly item: Item;
	readonly create: Create;
	readonly update: Update;
	readonly filters: Filters;
	readonly emits: Readonly<
		Record<"create" | "update" | "remove", readonly EventId[]>
	>;
}

type RecordParams = typeof RecordParams;
type SubRecordParams = typeof SubRecordParams;
type PageQuery = typeof pageQuery;

const spaced = (name: string) =>
	name.replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();

/**
 * The ordinary five operations of a record: list (paginated), get, create, update, and DELETE under the given verb.
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
>(spec: CrudSpec<Noun, Plural, Removal, Item, Filters, Create, Update>) {
	const { path, item, emits } = spec;
	const group = spec.plural;
	const noun = spaced(spec.noun);
	const one = `${path}/{uuid}` as const;
	return {
		[`list${spec.plural}`]: defineRead({
			path,
			group,
			summary: `List ${spaced(spec.plural)}`,
			query: z.object({ ...pageQuery, ...spec.filters }),
			response: pageOf(item),
			tool: true,
		}),
		[`get${spec.noun}`]: defineRead({
			path: one,
			group,
			summary: `Get a ${noun}`,
			params: RecordParams,
			response: item,
			tool: true,
		}),
		[`create${spec.noun}`]: defineWrite({
			method: "POST",
			path,
			group,
			summary: `Create a ${noun}`,
			body: spec.create,
			response: item,
			status: 201,
			emits: emits.create,
			tool: true,
		}),
		[`update${spec.noun}`]: defineWrite({
			method: "PATCH",
			path: one,
			group,
			summary: `Update a ${noun}`,
			params: RecordParams,
			body: spec.update,
			response: item,
			emits: emits.update,
			tool: true,
		}),
		[`${spec.removal}${spec.noun}`]: defineWrite({
			method: "DELETE",
			path: one,
			group,
			summary: `${spec.removal.replace(/^./, (c) => c.toUpperCase())} a ${noun}`,
			params: RecordParams,
			response: Success,
			emits: emits.remove,
		}),
	} as unknown as {
		readonly [Key in `list${Plural}`]: Operation<
			"read",
			z.ZodObject,
			z.ZodObject<PageQuery & Filters>,
			null,
			z.ZodType<Page<z.output<Item>>>
		>;
	} & {
		readonly [Key in `get${Noun}`]: Operation<
			"read",
			RecordParams,
			z.ZodObject,
			null,
			Item
		>;
	} & {
		readonly [Key in `create${Noun}`]: Operation<
			"write",
			z.ZodObject,
			z.ZodObject,
			Create,
			Item
		>;
	} & {
		readonly [Key in `update${Noun}`]: Operation<
			"write",
			RecordParams,
			z.ZodObject,
			Update,
			Item
		>;
	} & {
		readonly [Key in `${Removal}${Noun}`]: Operation<
			"write",
			RecordParams,
			z.ZodObject,
			null,
			typeof Success
		>;
	};
}

interface NestedCrudSpec<
	Noun extends string,
	Plural extends string,
	Item extends z.ZodType,
	Create extends z.ZodType,
	Update extends z.ZodType,
> {
	readonly noun: Noun;
	readonly plural: Plural;
	/** The parent's path: `/v1/leads/{uuid}`. */
	readonly parent: `/${string}/{uuid}`;
	readonly segment: string;
	readonly group: string;
	readonly item: Item;
	readonly create: Create;
	readonly update: Update;
	readonly emits: Readonly<
		Record<"create" | "update" | "remove", readonly EventId[]>
	>;
}

/** The four operations of a record under a parent: a bare list (decisions §1), create, update, delete. */
export function nestedCrud<
	const Noun extends string,
	const Plural extends string,
	Item extends z.ZodType,
	Create extends z.ZodType,
	Update extends z.ZodType,
>(spec: NestedCrudSpec<Noun, Plural, Item, Create, Update>) {
	const { group, item, emits } = spec;
	const noun = spaced(spec.noun);
	const path = `${spec.parent}/${spec.segment}` as const;
	const one = `${path}/{subUuid}` as const;
	return {
		[`list${spec.plural}`]: defineRead({
			path,
			group,
			summary: `List ${spaced(spec.plural)}`,
			params: RecordParams,
			response: z.array(item),
			tool: true,
		}),
		[`create${spec.noun}`]: defineWrite({
			method: "POST",
			path,
			group,
			summary: `Create a ${noun}`,
			params: RecordParams,
			body: spec.create,
			response: item,
			status: 201,
			emits: emits.create,
			tool: true,
		}),
		[`update${spec.noun}`]: defineWrite({
			method: "PATCH",
			path: one,
			group,
			summary: `Update a ${noun}`,
			params: SubRecordParams,
			body: spec.update,
			response: item,
			emits: emits.update,
			tool: true,
		}),
		[`delete${spec.noun}`]: defineWrite({
			method: "DELETE",
			path: one,
			group,
			summary: `Delete a ${noun}`,
			params: SubRecordParams,
			response: Success,
			emits: emits.remove,
		}),
	} as unknown as {
		readonly [Key in `list${Plural}`]: Operation<
			"read",
			RecordParams,
			z.ZodObject,
			null,
			z.ZodArray<Item>
		>;
	} & {
		readonly [Key in `create${Noun}`]: Operation<
			"write",
			RecordParams,
			z.ZodObject,
			Create,
			Item
		>;
	} & {
		readonly [Key in `update${Noun}`]: Operation<
			"write",
			SubRecordParams,
			z.ZodObject,
			Update,
			Item
		>;
	} & {
		readonly [Key in `delete${Noun}`]: Operation<
			"write",
			SubRecordParams,
			z.ZodObject,
			null,
			typeof Success
		>;
	};
}
