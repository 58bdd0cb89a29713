import { z } from "zod";
import { crud } from "./crud.ts";
import { queryBoolean, querySearch } from "./pagination.ts";
import { sortQuery } from "./resources/sort.ts";
import { timestamp } from "./text.ts";
import { toWords } from "./words.ts";

type Shape = z.ZodRawShape;
type None = Record<never, never>;
type OptionalOf<Members extends Shape> = {
	[Member in keyof Members]: z.ZodOptional<Members[Member]>;
};
/** What only records have that are archived. */
type OfArchive<Removal, Members> = Removal extends "archive" ? Members : None;
/** What a record shows: what was written, a reference that is shown whole in place of its uuid, and what it shows besides. */
type ItemShape<Written extends Shape, Shown extends Shape, Removal> = {
	[Member in Exclude<
		keyof Written,
		`${keyof Shown & string}_uuid`
	>]: Written[Member];
} & Shown &
	OfArchive<Removal, { archived_at: z.ZodNullable<z.ZodString> }> & {
		uuid: z.ZodString;
		created_at: z.ZodString;
		updated_at: z.ZodString;
	};
type FilterShape<Name extends string, Filters extends Shape, Removal> = {
	search: z.ZodOptional<ReturnType<typeof querySearch>>;
	sort: ReturnType<typeof sortQuery<[Name, `-${Name}`]>>;
} & Filters &
	OfArchive<
		Removal,
		{ archived: z.ZodDefault<ReturnType<typeof queryBoolean>> }
	>;

interface Spec<
	Noun extends string,
	Plural extends string,
	Name extends string,
	Removal extends "archive" | "delete",
	Mandatory extends Shape,
	Optional extends Shape,
	Fixed extends Shape,
	Shown extends Shape,
	Filters extends Shape,
> {
	readonly noun: Noun;
	readonly plural: Plural;
	readonly path: `/${string}`;
	/** The member that names a record to people: lists are searched and sorted by it, audit entries show it. */
	readonly name: Name;
	/** Whether DELETE archives a record or removes it (decisions §1). */
	readonly removal: Removal;
	/** Members that a create must have. */
	readonly mandatory: Mandatory;
	readonly optional: Optional;
	/** Members that a create must have and no update changes. */
	readonly fixed?: Fixed;
	/** What a create sets where it says nothing. */
	readonly defaults?: Readonly<Record<string, unknown>>;
	/** Members that are only shown: `partnership` stands in place of a written `partnership_uuid`. */
	readonly shown?: Shown;
	/** Filters of the list beyond `search`, `sort` and, where there is an archive, `archived`. */
	readonly filters?: Filters;
}

/**
 * One kind of plain records: its members, its bodies and its five operations. Columns are named after members, so that
 * the core serves the kind from this definition.
 *
 * @example
 * definePlain({ noun: "Asset", plural: "Assets", path: "/v1/assets", name: "url", removal: "delete", mandatory: { url: webUrl() }, optional: {} });
 */
export function definePlain<
	const Noun extends string,
	const Plural extends string,
	const Name extends string,
	const Removal extends "archive" | "delete",
	Mandatory extends Shape,
	Optional extends Shape,
	Fixed extends Shape = None,
	Shown extends Shape = None,
	Filters extends Shape = None,
>(
	spec: Spec<
		Noun,
		Plural,
		Name,
		Removal,
		Mandatory,
		Optional,
		Fixed,
		Shown,
		Filters
	>,
) {
	const { noun, plural, path, name, removal, defaults = {} } = spec;
	const mandatory = { ...spec.fixed, ...spec.mandatory };
	const written: Shape = { ...mandatory, ...spec.optional };
	const shown: Shape = { ...spec.shown };
	const item = z.object({
		uuid: z.string(),
		...pick(written, (member) => !(member.replace(/_uuid$/, "") in shown)),
		...shown,
		...(removal === "archive" && { archived_at: timestamp().nullable() }),
		created_at: timestamp(),
		updated_at: timestamp(),
	}) as unknown as z.ZodObject<
		ItemShape<Fixed & Mandatory & Optional, Shown, Removal>
	>;
	const create = z.object({
		...Object.fromEntries(
			Object.entries(spec.optional).map(([member, schema]) => [
				member,
				member in defaults
					? (schema as z.ZodType).default(defaults[member])
					: (schema as z.ZodType).optional(),
			]),
		),
		...mandatory,
	}) as unknown as z.ZodObject<Fixed & Mandatory & OptionalOf<Optional>>;
	const update = z
		.object({ ...spec.mandatory, ...spec.optional })
		.partial() as unknown as z.ZodObject<OptionalOf<Mandatory & Optional>>;
	const filters = {
		search: querySearch().optional(),
		...spec.filters,
		...(removal === "archive" && { archived: queryBoolean().default(false) }),
		sort: sortQuery(name, `-${name}`),
	} as unknown as FilterShape<Name, Filters, Removal>;
	return {
		noun,
		plural,
		removal,
		/** As the audit log names it. */
		entity: toWords(noun).replaceAll(" ", "_"),
		name,
		item,
		/** The members that bodies write. */
		members: Object.keys(written),
		operations: crud({
			noun,
			plural,
			removal,
			path,
			item,
			create,
			update,
			filters,
			emits: { create: [], update: [], remove: [] },
		}),
	};
}

/** What the core needs to know of a kind of plain records. */
export type PlainDefinition = Pick<
	ReturnType<typeof definePlain>,
	"noun" | "plural" | "removal" | "entity" | "name" | "members"
> & {
	readonly item: z.ZodObject;
	readonly operations: object;
};

const pick = (shape: Shape, isWanted: (member: string) => boolean): Shape =>
	Object.fromEntries(
		Object.entries(shape).filter(([member]) => isWanted(member)),
	);
