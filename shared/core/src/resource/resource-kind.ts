// The rules that the resource engine (resource.ts) needs for each kind of resource.
import type { SQL } from "drizzle-orm";
import type { Change, Emission, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db, Preparable } from "../db/db.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { AuditChange } from "../db/tables/system.ts";
import type { Tables } from "../db/tables.ts";

/** The path of one resource. */
export interface One {
	params: { uuid: string };
}

/** The path of something under a resource: a part, a linked record or a value. */
export interface Part {
	params: { uuid: string; subUuid: string };
}

/** The columns of every resource. Where resources are deleted, not archived, `archivedAt` is left out. */
export interface StoredRow {
	uuid: string;
	companyUuid: string;
	createdAt: number;
	updatedAt: number;
	archivedAt?: number | null;
}

/** The tables of resources. */
export type ResourceTable = {
	[Name in keyof Tables]: RowOf<Name> extends StoredRow ? Name : never;
}[keyof Tables];

/** A row as its kind's query reads it, with the records that it refers to. */
export interface ViewedRow {
	row: StoredRow;
}

export interface ViewQuery<Viewed> extends Preparable<Viewed[]> {
	where(condition: SQL | undefined): this;
	orderBy(...columns: SQL[]): this;
}

export type Action =
	| "created"
	| "updated"
	| "archived"
	| "restored"
	| "deleted";

/** Changes of other records that a write brings. */
type Cascade = Promise<readonly Change[] | undefined>;

/** The rules for one kind of resource. */
export interface ResourceKind<
	Viewed extends ViewedRow,
	Shown extends Resource,
> {
	readonly table: ResourceTable;
	/** The kind's name in the audit log. */
	readonly entity: string;
	/** The kind's name in errors. */
	readonly noun: string;
	select(db: Db): ViewQuery<Viewed>;
	/** The rows of the kind, if its table holds others too. */
	isOfKind?(db: Db): SQL | undefined;
	/** Whether triggers count the rows of its table, so that lists need not. */
	readonly isCounted?: boolean;
	/**
	 * The resource as it is after a write without consequences, so that it need not be read again. Undefined if it has to
	 * be. `before` is null for a new one.
	 */
	toWritten?(
		row: Viewed["row"],
		before: Viewed | null,
		context: Context,
	): Viewed | undefined;
	/** Values for columns that a new row would leave out. */
	readonly defaults?: Partial<Viewed["row"]>;
	/** The same for values that depend on other rows, such as the next `series`. */
	complete?(
		columns: Partial<Viewed["row"]>,
		context: Context,
	): Promise<Partial<Viewed["row"]>>;
	/** Throws if these columns must not be written. The resource is null for a new one. */
	refuse?(
		columns: Partial<Viewed["row"]>,
		viewed: Viewed | null,
		context: Context,
	): Promise<void>;
	/** Throws if the resource must stay. Removes what belongs to it before it is deleted. */
	removing?(row: Viewed["row"], context: Context): Promise<void>;
	/** Writes what follows from every write of the kind. */
	cascade?(row: Viewed["row"], context: Context): Cascade;
	/** The resource as the audit log has it, if not as it is shown. */
	toAudited?(shown: Shown, viewed: Viewed): Resource;
	/** The event of a change; left out or undefined if it has none. */
	toEmission?(
		action: Action,
		shown: Shown,
		row: Viewed["row"],
		context: Context,
	): Emission | undefined | Promise<Emission | undefined>;
	showAll(
		viewed: readonly Viewed[],
		context: Pick<Context, "db">,
	): Shown[] | Promise<Shown[]>;
}

/** A write that does more than write columns. */
export interface WriteOptions<Viewed extends ViewedRow, Shown> {
	/** The new resource's uuid, if other rows were written with it already. */
	readonly uuid?: string;
	readonly action?: Exclude<Action, "created" | "deleted"> | undefined;
	/** Whether something beside the columns changes: then the row is updated even if no column differs. */
	readonly isChanged?: boolean;
	/** Changes beside the members, for the audit log. */
	readonly also?: readonly AuditChange[];
	/** Writes what follows from this write. */
	cascade?(uuid: string): Cascade;
	/** The resource before the change, if it is shown already. */
	readonly before?: Shown;
	/** Shows the resource after the write, if the kind's `showAll` would load too much. */
	show?(viewed: Viewed): Promise<Shown>;
}

/** Selects the rows of one table, for a kind that refers to no other records. */
export const selectRows =
	<Name extends ResourceTable>(name: Name) =>
	({ query, tables }: Db) => {
		// All of these tables have the columns of this one, which a type parameter cannot express.
		const table = tables[name] as Tables["product"];
		const selected = query.select({ row: table }).from(table).$dynamic();
		return selected as ViewQuery<unknown> as ViewQuery<{ row: RowOf<Name> }>;
	};
