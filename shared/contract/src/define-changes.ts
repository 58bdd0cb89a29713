import type { z } from "zod";
import type { EventId } from "./event-ids.ts";
import { defineWrite, type Operation } from "./operation.ts";
import { type NoParams, Success } from "./params.ts";
import { capitalise, toWords, withArticle } from "./words.ts";

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

/** The operations that change a record, from its definition. */
export function defineChanges<
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
