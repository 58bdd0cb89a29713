import { invalidMembers } from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import type { RowOf } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import type { STAGE_ENTITIES } from "../db/tables/configuration.ts";

const REFERABLE = [
	"partner",
	"lead",
	"deal",
	"stage",
	"tier",
	"category",
	"tag",
	"attribution",
	"contact",
	"product",
	"pricingCalculator",
	"partnerRole",
	"currency",
	"user",
	"asset",
	"folder",
	"resource",
	"agreementTemplate",
	"marketingTemplate",
	"integration",
] as const;
/** The kinds of records that a body can refer to. */
export type Referable = (typeof REFERABLE)[number];

/** An invalid member of a body, and why it is invalid. */
export interface Invalid {
	readonly field: string;
	readonly message: string;
}

const UNKNOWN = "does not refer to a record of this account";
const ARCHIVED = "refers to an archived record";

const finders = Object.fromEntries(
	REFERABLE.map((name) => [
		name,
		defineQuery(`reference_${name}`, ({ query, tables }) => {
			const table = tables[name];
			return query
				.select()
				.from(table)
				.where(
					and(
						eq(table.uuid, sql.placeholder("uuid")),
						eq(table.companyUuid, sql.placeholder("companyUuid")),
					),
				);
		}),
	]),
) as {
	[Name in Referable]: (
		...args: Parameters<ReturnType<typeof defineQuery>>
	) => Promise<RowOf<Name>[]>;
};

type Found<Row, Given> = Given extends string ? Row : Exclude<Given, string>;

/** The column that a member is stored in: `parent_uuid` in `parentUuid`. */
export const toColumn = (member: string) =>
	member.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/**
 * Looks up the records that a body refers to. Another company's record gives the same error as one that does not exist
 * (docs/decisions.md#references-in-a-body). Absent and null references stay as they are. A reference that the changed
 * row has already stays valid, even if that record was archived since. Call `refuseInvalid` before writing.
 */
export function createReferences(
	{ db, caller, found }: Context,
	changing?: object,
) {
	const invalid: Invalid[] = [];

	async function find<
		Name extends Referable,
		Given extends string | null | undefined,
	>(
		name: Name,
		member: string,
		uuid: Given,
		isFit: (row: RowOf<Name>) => boolean = () => true,
	): Promise<Found<RowOf<Name>, Given>> {
		if (typeof uuid !== "string") return uuid as Found<RowOf<Name>, Given>;
		const [row] = await finders[name](db, {
			uuid,
			companyUuid: caller.companyUuid,
		});
		if (row) found.set(`${name} ${row.uuid}`, row);
		if (row && "id" in row) found.set(`${name} ${row.id}`, row);
		const field = `body/${member}`;
		if (!row || !isFit(row)) invalid.push({ field, message: UNKNOWN });
		else if (
			"archivedAt" in row &&
			row.archivedAt !== null &&
			changing?.[toColumn(member) as keyof typeof changing] !== uuid
		)
			invalid.push({ field, message: ARCHIVED });
		return row as Found<RowOf<Name>, Given>;
	}

	return {
		find,
		/** A stage of the given kind of record. */
		findStage: <Given extends string | null | undefined>(
			member: string,
			uuid: Given,
			entity: (typeof STAGE_ENTITIES)[number],
		) => find("stage", member, uuid, (row) => row.entity === entity),
		/** Throws one 400 that names every invalid reference and the `others`. */
		refuseInvalid(others: readonly Invalid[] = []): void {
			const members = [...invalid, ...others];
			if (members.length > 0) throw invalidMembers(members);
		},
	};
}

/**
 * The record that a written row refers to, as it is shown: of the records that the operation's references led to, or as
 * it was before the write. Null if the row refers to none, undefined if it has to be read.
 */
export function showReference<Name extends Referable, Shown>(
	name: Name,
	key: string | number | null,
	{ found }: Pick<Context, "found">,
	toShown: (row: RowOf<Name>) => Shown,
	before?: { key: string | number | null; shown: Shown | null } | null,
): Shown | null | undefined {
	if (key === null) return null;
	if (before?.key === key) return before.shown;
	const row = found.get(`${name} ${key}`);
	return row && toShown(row as RowOf<Name>);
}

/** Looks up the references of one request's body. */
export type References = ReturnType<typeof createReferences>;

/** The id that a column stores for a looked-up reference: absent stays absent, null stays null. */
export const toId = <Row extends { id: number }>(
	row: Row | null | undefined,
) => (row === undefined || row === null ? row : row.id);
