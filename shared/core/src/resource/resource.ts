import { notFound, type Page, type Success } from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Change, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Db } from "../db/db.ts";
import { insertColumns, toStoredRow } from "../db/insert-row.ts";
import { defineQuery } from "../db/prepared.ts";
import type { AuditChange } from "../db/tables/system.ts";
import type { Tables } from "../db/tables.ts";
import type { Outcome } from "../execute/handlers.ts";
import { whenArchived } from "./conditions.ts";
import { type ListFilters, listPage, type PageRequest } from "./list-page.ts";
import { toChangedColumns } from "./patch.ts";
import type {
	Action,
	ResourceKind,
	ViewedRow,
	WriteOptions,
} from "./resource-kind.ts";

/**
 * The engine behind all resources. It finds rows of one company, lists, creates, changes and deletes them, and makes the
 * change of each write: its audit entry and its event. The files `create-*.ts` add what records, parts and settings
 * have in common.
 */
export function createResource<
	Viewed extends ViewedRow,
	Shown extends Resource,
>(kind: ResourceKind<Viewed, Shown>) {
	type Columns = Partial<Viewed["row"]>;
	// All of these tables have the columns of this one, which a type parameter cannot express.
	const tableOf = ({ tables }: Db) => tables[kind.table] as Tables["product"];

	const find = defineQuery(`${kind.entity}_by_uuid`, (db) =>
		kind
			.select(db)
			.where(
				and(
					eq(tableOf(db).uuid, sql.placeholder("uuid")),
					eq(tableOf(db).companyUuid, sql.placeholder("companyUuid")),
					kind.isOfKind?.(db),
				),
			),
	);

	/** The resource as it is stored; undefined if it does not exist or belongs to another company. */
	async function seek(
		uuid: string,
		{ db, caller: { companyUuid } }: Context,
	): Promise<Viewed | undefined> {
		const [viewed] = await find(db, { uuid, companyUuid });
		return viewed;
	}

	/** The resource, or a 404. */
	async function read(uuid: string, context: Context): Promise<Viewed> {
		const viewed = await seek(uuid, context);
		if (!viewed) throw notFound(kind.noun);
		return viewed;
	}

	/** The resource after a write: read again if the write had consequences, which may have changed it too. */
	async function readWritten(
		row: Viewed["row"],
		before: Viewed | null,
		context: Context,
		options: WriteOptions<Viewed, Shown>,
	): Promise<Viewed> {
		const isWhole = !kind.cascade && !options.cascade;
		const written = isWhole && kind.toWritten?.(row, before, context);
		return written || read(row.uuid, context);
	}

	async function show(viewed: Viewed, context: Context): Promise<Shown> {
		const [shown] = await kind.showAll([viewed], context);
		return shown as Shown;
	}

	/** One page of the company's resources. A kind that is archived has the filter `archived`. */
	function list(
		query: PageRequest & { archived?: unknown },
		{ db, caller: { companyUuid } }: Context,
		{ conditions = [], ...filters }: Partial<ListFilters>,
	): Promise<Page<Shown>> {
		const table = tableOf(db);
		const archived =
			query.archived === undefined
				? undefined
				: { column: table.archivedAt, only: query.archived === true };
		const isListed = [
			eq(table.companyUuid, companyUuid),
			kind.isOfKind?.(db),
			archived && whenArchived(archived.column, archived.only),
		];
		return listPage(db, query, {
			...filters,
			table,
			query: kind.select(db),
			scope: kind.isCounted ? { companyUuid, archived } : undefined,
			conditions: [...(kind.isCounted ? [] : isListed), ...conditions],
			toItems: (rows) => kind.showAll(rows, { db }),
		});
	}

	/** The change of one resource: a side is null if the resource does not exist then. */
	async function toChange(
		action: Action,
		before: { viewed: Viewed; shown: Shown } | null,
		after: { viewed: Viewed; shown: Shown } | null,
		context: Context,
		also: readonly AuditChange[] = [],
	): Promise<Change> {
		const { viewed, shown } = (after ?? before) as NonNullable<typeof after>;
		const toSide = (side: typeof after) =>
			side && (kind.toAudited?.(side.shown, side.viewed) ?? side.shown);
		return {
			entity: kind.entity,
			uuid: viewed.row.uuid,
			action,
			before: toSide(before),
			after: toSide(after),
			also,
			emits: await kind.toEmission?.(action, shown, viewed.row, context),
		};
	}

	async function cascade(
		row: Viewed["row"],
		context: Context,
		options: WriteOptions<Viewed, Shown> = {},
	): Promise<Change[]> {
		const ofWrite = (await options.cascade?.(row.uuid)) ?? [];
		const ofKind = (await kind.cascade?.(row, context)) ?? [];
		return [...ofWrite, ...ofKind];
	}

	async function toDefaults(columns: Columns, context: Context) {
		const defaults = Object.entries(kind.defaults ?? {}).map(
			([column, value]) => [column, columns[column as keyof Columns] ?? value],
		);
		const completed = await kind.complete?.(columns, context);
		return { ...Object.fromEntries(defaults), ...completed };
	}

	async function create(
		columns: Columns,
		context: Context,
		options: WriteOptions<Viewed, Shown> = {},
	): Promise<Outcome<Shown>> {
		const { db, caller, nowMs } = context;
		const row: Viewed["row"] = {
			...columns,
			...(await toDefaults(columns, context)),
			uuid: options.uuid ?? context.newUuid(),
			companyUuid: caller.companyUuid,
			createdAt: nowMs,
			updatedAt: nowMs,
		};
		await kind.refuse?.(row, null, context);
		await insertColumns(db, kind.table, row);
		const others = await cascade(row, context, options);
		const stored = toStoredRow(db, kind.table, row) as Viewed["row"];
		const viewed = await readWritten(stored, null, context, options);
		const shown = await (options.show?.(viewed) ?? show(viewed, context));
		const after = { viewed, shown };
		const change = await toChange(
			"created",
			null,
			after,
			context,
			options.also,
		);
		return { result: shown, changes: [change, ...others] };
	}

	/** Writes columns of the row, and `updated_at`. */
	async function update(
		uuid: string,
		columns: object,
		{ db, nowMs }: Context,
	): Promise<void> {
		const table = tableOf(db);
		await db.query
			.update(table)
			.set({ ...columns, updatedAt: nowMs })
			.where(eq(table.uuid, uuid));
	}

	/** Writes the columns that differ. If nothing differs, it answers the resource, without a change. */
	async function change(
		viewed: Viewed,
		columns: Columns,
		context: Context,
		options: WriteOptions<Viewed, Shown> = {},
	): Promise<Outcome<Shown>> {
		const { action = "updated", isChanged = false } = options;
		const before = {
			viewed,
			shown: options.before ?? (await show(viewed, context)),
		};
		const { uuid } = viewed.row;
		const changed = toChangedColumns(viewed.row, columns);
		if (!changed && !isChanged) {
			// A blank that is stored for the first time is no change, but it is shown.
			const shown = (await options.show?.(viewed)) ?? before.shown;
			return { result: shown, changes: [] };
		}
		if (changed) await kind.refuse?.(changed, viewed, context);
		await update(uuid, changed ?? {}, context);
		const row = { ...viewed.row, ...changed, updatedAt: context.nowMs };
		const others = await cascade(row, context, options);
		const now = await readWritten(row, viewed, context, options);
		const shown = await (options.show?.(now) ?? show(now, context));
		const after = { viewed: now, shown };
		const change = await toChange(action, before, after, context, options.also);
		return { result: shown, changes: [change, ...others] };
	}

	async function remove(
		viewed: Viewed,
		context: Context,
	): Promise<Outcome<Success>> {
		const before = { viewed, shown: await show(viewed, context) };
		await kind.removing?.(viewed.row, context);
		const table = tableOf(context.db);
		await context.db.query.delete(table).where(eq(table.uuid, viewed.row.uuid));
		const others = await cascade(viewed.row, context);
		const change = await toChange("deleted", before, null, context);
		return { result: { success: true }, changes: [change, ...others] };
	}

	return {
		entity: kind.entity,
		tableOf,
		seek,
		read,
		show,
		showAll: kind.showAll,
		list,
		create,
		update,
		change,
		remove,
		toChange,
	};
}
