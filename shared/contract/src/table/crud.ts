import * as z from "zod";
import { defineChanges, type RecordSpec } from "./define-changes.ts";
import { keyed, ofArchive } from "./inferred.ts";
import { pageOf, pageQuery } from "./list-query.ts";
import { defineRead, defineWrite } from "./operation.ts";
import { NoParams, RecordParams, SubRecordParams } from "./params.ts";
import { toTitle, toWords, withArticle } from "./words.ts";

type CrudSpec<
	Noun extends string,
	Plural extends string,
	Item extends z.ZodType,
	Filters extends z.ZodRawShape,
	Create extends z.ZodType,
	Update extends z.ZodType,
> = RecordSpec<Noun, Plural, Item, Create, Update> & {
	readonly path: `/${string}`;
	readonly filters: Filters;
	/** The resource group of docs/coverage.md. By default the plural, in words. */
	readonly group?: string;
};

/** The operations that crud() and configuration() share: all but the list and the restore. */
function defineOne<
	const Noun extends string,
	const Removal extends string,
	Item extends z.ZodType,
	Create extends z.ZodType,
	Update extends z.ZodType,
>(
	spec: CrudSpec<Noun, string, Item, z.ZodRawShape, Create, Update>,
	removal: Removal,
	group: string,
) {
	const { path, item } = spec;
	const one = `${path}/{uuid}` as const;
	const get = defineRead({
		group,
		path: one,
		summary: `Get ${withArticle(toWords(spec.noun))}`,
		params: RecordParams,
		response: item,
	});
	const at = { removal, group, path, one };
	const params = { params: NoParams, oneParams: RecordParams };
	return {
		...keyed(`get${spec.noun}`, get),
		...defineChanges(spec, { ...at, ...params }),
	};
}

/**
 * The usual five operations of a record: list (paginated), get, create, update, and DELETE, which archives or deletes
 * (docs/decisions.md#delete). Archived records also get `POST …/restore`.
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
	spec: CrudSpec<Noun, Plural, Item, Filters, Create, Update> & {
		readonly removal: Removal;
	},
) {
	const { path, item, removal } = spec;
	const group = spec.group ?? toTitle(spec.plural);
	const list = defineRead({
		group,
		path,
		summary: `List ${toWords(spec.plural)}`,
		query: z.object({ ...pageQuery, ...spec.filters }),
		response: pageOf(item),
		replica: true,
	});
	const restore = defineWrite({
		method: "POST",
		group,
		path: `${path}/{uuid}/restore`,
		params: RecordParams,
		summary: `Bring an archived ${toWords(spec.noun)} back`,
		response: item,
		emits: spec.emits?.update ?? [],
	});
	return {
		...keyed(`list${spec.plural}`, list),
		...defineOne(spec, removal, group),
		...ofArchive(removal, keyed(`restore${spec.noun}`, restore)),
	};
}

/**
 * The usual five operations of configuration, such as stages. Unlike crud(), the list gives all records, without pages
 * (docs/decisions.md#bare-lists), and changes emit nothing.
 */
export function configuration<
	const Noun extends string,
	const Plural extends string,
	Item extends z.ZodType,
	Filters extends z.ZodRawShape,
	Create extends z.ZodType,
	Update extends z.ZodType,
>(spec: Omit<CrudSpec<Noun, Plural, Item, Filters, Create, Update>, "emits">) {
	const group = spec.group ?? toTitle(spec.plural);
	const list = defineRead({
		group,
		path: spec.path,
		summary: `List all ${toWords(spec.plural)}`,
		query: z.object(spec.filters),
		response: z.array(spec.item),
	});
	return {
		...keyed(`list${spec.plural}`, list),
		...defineOne(spec, "delete", group),
	};
}

/** The four operations of a record under a parent: a bare list (docs/decisions.md#bare-lists), create, update, delete. */
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
	const list = defineRead({
		group,
		path,
		summary: `List ${toWords(spec.plural)}`,
		params: RecordParams,
		response: z.array(item),
	});
	const at = { removal: "delete", group, path, one } as const;
	const params = { params: RecordParams, oneParams: SubRecordParams };
	return {
		...keyed(`list${spec.plural}`, list),
		...defineChanges(spec, { ...at, ...params }),
	};
}
