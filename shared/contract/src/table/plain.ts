import * as z from "zod";
import { crud } from "./crud.ts";
import { ofArchive, orDefault } from "./inferred.ts";
import { queryBoolean, querySearch, sortQuery } from "./list-query.ts";
import { timestamp } from "./text.ts";
import { toWords } from "./words.ts";

type Shape = z.ZodRawShape;
type None = Record<never, never>;
/** The possible defaults of a create, by member. */
type DefaultsOf<Members extends Shape> = {
	readonly [Member in keyof Members]?: z.core.util.NoUndefined<
		z.output<Members[Member]>
	>;
};

interface Spec<
	Noun extends string,
	Plural extends string,
	Name extends string,
	Removal extends "archive" | "delete",
	Mandatory extends Shape,
	Optional extends Shape,
	Defaults extends DefaultsOf<Optional>,
	Fixed extends Shape,
	Shown extends Shape,
	Filters extends Shape,
> {
	readonly noun: Noun;
	readonly plural: Plural;
	readonly path: `/${string}`;
	/** The member that people know a record by. Lists search and sort by it, and audit entries show it. */
	readonly name: Name;
	/** Whether DELETE archives a record or removes it (docs/decisions.md#delete). */
	readonly removal: Removal;
	/** Members that a create must have. */
	readonly mandatory: Mandatory;
	readonly optional: Optional;
	/** Members that a create must have and no update changes. */
	readonly fixed?: Fixed;
	/** Values that a create sets for members that the body leaves out. */
	readonly defaults?: Defaults;
	/** Members that only answers have: `partnership` stands for the `partnership_uuid` that bodies write. */
	readonly shown?: Shown;
	/** Filters of the list, beside `search`, `sort` and `archived` (the last for archived kinds only). */
	readonly filters?: Filters;
}

/**
 * Defines one kind of plain records: its members, its bodies and its five operations. Columns are named after members:
 * the core serves the kind from this definition alone.
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
	const Defaults extends DefaultsOf<Optional> = None,
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
		Defaults,
		Fixed,
		Shown,
		Filters
	>,
) {
	const { noun, plural, path, name, removal, optional } = spec;
	const none = {};
	const shown = orDefault(spec.shown, none);
	const mandatory = { ...orDefault(spec.fixed, none), ...spec.mandatory };
	const written = { ...mandatory, ...optional };
	const item = z.object({
		uuid: z.string(),
		...withoutShown(written, shown),
		...shown,
		...ofArchive(removal, { archived_at: timestamp().nullable() }),
		created_at: timestamp(),
		updated_at: timestamp(),
	});
	const create = z.object({
		...toOptional(optional, orDefault(spec.defaults, none)),
		...mandatory,
	});
	const update = z.object({ ...spec.mandatory, ...optional }).partial();
	const filters = {
		search: querySearch().optional(),
		...orDefault(spec.filters, none),
		...ofArchive(removal, { archived: queryBoolean().default(false) }),
		sort: sortQuery(name, `-${name}`),
	};
	return {
		noun,
		plural,
		removal,
		/** The kind's name in the audit log. */
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

/** A kind of plain records as the core sees it. */
export interface PlainDefinition {
	readonly noun: string;
	readonly plural: string;
	readonly removal: "archive" | "delete";
	readonly entity: string;
	readonly name: string;
	readonly members: readonly string[];
	readonly item: z.ZodObject;
	readonly operations: object;
}

/** The written members, without each uuid whose record the answer shows instead. */
const withoutShown = <Written extends Shape, Shown extends Shape>(
	written: Written,
	shown: Shown,
) =>
	Object.fromEntries(
		Object.entries(written).filter(
			([member]) => !(member.replace(/_uuid$/, "") in shown),
		),
	) as Omit<Written, `${keyof Shown & string}_uuid`>;

/** Members that a create may leave out: they become their default, or null. */
const toOptional = <
	Members extends Shape,
	Defaults extends DefaultsOf<Members>,
>(
	members: Members,
	defaults: Defaults,
) =>
	Object.fromEntries(
		Object.entries(members).map(([member, schema]) => [
			member,
			member in defaults
				? z._default(schema, defaults[member])
				: z.optional(schema),
		]),
	) as {
		[Member in keyof Members]: Member extends keyof Defaults
			? z.ZodDefault<Members[Member]>
			: z.ZodOptional<Members[Member]>;
	};
