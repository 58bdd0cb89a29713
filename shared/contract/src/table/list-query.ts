import * as z from "zod";
import { text } from "./text.ts";
import { Uuid } from "./uuid.ts";

/* The query of lists: pages, filters and order. The answer of a list is a page. */

const range = (name: string, minimum: number, maximum: number) =>
	maximum === Number.MAX_SAFE_INTEGER
		? `${name} must be an integer of at least ${minimum}`
		: `${name} must be an integer from ${minimum} to ${maximum}`;

/** An integer of the query string: digits only. `0x10`, `1e1`, `25 ` and the empty string are refused, never clamped. */
export const queryInteger = (
	name: string,
	{ minimum = 1, maximum = Number.MAX_SAFE_INTEGER } = {},
) => {
	const error = range(name, minimum, maximum);
	return z
		.union([z.number(), z.string().regex(/^(?:0|[1-9]\d{0,15})$/, { error })], {
			error,
		})
		.transform(Number)
		.refine(
			(value) =>
				Number.isSafeInteger(value) && value >= minimum && value <= maximum,
			{ error },
		)
		.meta({ wire: { type: "integer", minimum, maximum } });
};

/** `page` and `per_page` of every paginated list (docs/contract.md#conventions). */
export const pageQuery = {
	page: queryInteger("page").default(1),
	per_page: queryInteger("per_page", { maximum: 100 }).default(25),
};

/** A boolean of the query string. */
export const queryBoolean = () =>
	z
		.union([z.boolean(), z.enum(["true", "false"])], {
			error: "must be true or false",
		})
		.transform((value) => value === true || value === "true")
		.meta({ wire: { type: "boolean" } });

/** A set in the query string: comma-separated, repeated, or both (docs/decisions.md#filters). */
export const querySet = <Item extends z.ZodType<string, string>>(item: Item) =>
	z
		.union([z.string(), z.array(z.string())])
		.transform((value) => [value].flat().flatMap((part) => part.split(",")))
		.pipe(z.array(item).max(200));

/** The text filter: trimmed, at most 200 characters (docs/contract.md#limits). */
export const querySearch = () => z.string().trim().pipe(text(200));

const TIMES = [
	"created_at",
	"-created_at",
	"updated_at",
	"-updated_at",
] as const;

/** The `sort` parameter of a list, by default `-created_at`. A leading minus means descending (docs/decisions.md#lists). */
export const sortQuery = <const Names extends readonly string[] = []>(
	...names: Names
) => z.enum([...TIMES, ...names]).optional();

/** The filters of a list of records that have tags and assigned users (docs/decisions.md#filters). */
export const linkFilters = {
	tag_uuids: querySet(Uuid).optional(),
	assigned_user_uuid: Uuid.optional(),
};

export const Pagination = z.object({
	page: z.int(),
	per_page: z.int(),
	total: z.int(),
	total_pages: z.int(),
});
export type Pagination = z.infer<typeof Pagination>;

/** The envelope of a paginated list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
	z.object({ data: z.array(item), pagination: Pagination });
export interface Page<Item> {
	data: Item[];
	pagination: Pagination;
}
