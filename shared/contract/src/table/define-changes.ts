import type { EventId } from "@partnerwire/wire";
import type * as z from "zod";
import { keyed } from "./inferred.ts";
import { defineWrite } from "./operation.ts";
import { Success } from "./params.ts";
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
	/** Left out if nothing is emitted. */
	readonly emits?: Readonly<
		Record<"create" | "update" | "remove", readonly EventId[]>
	>;
}

/** The operations that change a record: create, update and DELETE. Their ids are made from the noun. */
export function defineChanges<
	const Noun extends string,
	const Removal extends string,
	Item extends z.ZodType,
	Create extends z.ZodType,
	Update extends z.ZodType,
	Parent extends z.ZodType,
	One extends z.ZodType,
>(
	spec: RecordSpec<Noun, string, Item, Create, Update>,
	at: {
		removal: Removal;
		group: string;
		path: `/${string}`;
		one: `/${string}`;
		params: Parent;
		oneParams: One;
	},
) {
	const { group, path, one: onePath } = at;
	const one = { group, path: onePath, params: at.oneParams };
	const noun = withArticle(toWords(spec.noun));
	const create = defineWrite({
		method: "POST",
		group,
		path,
		params: at.params,
		summary: `Create ${noun}`,
		body: spec.create,
		response: spec.item,
		status: 201,
		emits: spec.emits?.create ?? [],
	});
	const update = defineWrite({
		...one,
		method: "PATCH",
		summary: `Update ${noun}`,
		body: spec.update,
		response: spec.item,
		emits: spec.emits?.update ?? [],
	});
	const remove = defineWrite({
		...one,
		method: "DELETE",
		summary: `${capitalise(at.removal)} ${noun}`,
		response: Success,
		emits: spec.emits?.remove ?? [],
	});
	return {
		...keyed(`create${spec.noun}`, create),
		...keyed(`update${spec.noun}`, update),
		...keyed(`${at.removal}${spec.noun}`, remove),
	};
}
