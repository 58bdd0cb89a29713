import type { CustomFieldValue, PartnerType } from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import type { Change, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { ValuesRow } from "../custom-fields/engine/stored-values.ts";
import type { RowOf } from "../db/insert-row.ts";
import type { Tables } from "../db/tables.ts";
import type { LinkTable } from "./create-links.ts";
import type { RecordFieldsKind } from "./record-fields.ts";
import type { LoadAttached } from "./record-links.ts";
import type { References } from "./references.ts";

export interface StoredRecord {
	uuid: string;
	companyUuid: string;
	/** Left out where records are removed, not archived. */
	archivedAt?: number | null;
	updatedAt: number;
}

/** The tables of records, whether they are archived or removed. */
export type RecordTable = {
	[Name in keyof Tables]: RowOf<Name> extends StoredRecord ? Name : never;
}[keyof Tables];

/** What follows from a write of a record: columns that are written along, and records that come after it. */
export interface Followed<Row> {
	readonly columns: Partial<Row>;
	settle(): Promise<readonly Change[]>;
}

/** A record as it is read, with what it refers to. */
export interface ViewedRecord {
	row: StoredRecord;
	/** Whether it has custom field values, where it can. */
	hasFields?: unknown;
	/** Whether anything hangs on it, where the query says so. */
	hasLinks?: unknown;
}

/** What distinguishes one kind of records from the others, where they are alike. */
export interface RecordKind<
	Viewed extends ViewedRecord,
	Shown extends Resource,
	Body,
	Attached,
> {
	readonly table: RecordTable;
	/** As the audit log names it (decisions §4). */
	readonly entity: string;
	readonly noun: string;
	/** The events of its changes and the record in them; restoring is an update. Left out where there are none. */
	readonly webhook?: {
		readonly events: Readonly<
			Record<"created" | "updated" | "archived", EventId>
		>;
		toPayload(shown: Shown): object;
	};
	find(db: Context["db"], values: Record<string, unknown>): Promise<Viewed[]>;
	/** Where its links are: `recordLink` when left out. */
	readonly links?: LinkTable;
	/** What hangs on it, such as its tags; without uuids nothing is asked. */
	readonly attach: LoadAttached<Attached>;
	/** Left out where there are no custom fields on it. */
	readonly fields?: RecordFieldsKind<Viewed> & {
		/** The partner type that a record has once the columns are written; of a new one, `before` is null. */
		partnerTypeWith(
			columns: Partial<Viewed["row"]>,
			before: Viewed | null,
			context: Context,
		): Promise<PartnerType>;
	};
	toShown(
		viewed: Viewed,
		attached: Attached,
		customFields: CustomFieldValue[],
	): Shown;
	/** What a body says in columns; invalid references are refused. */
	toColumns(
		body: Body,
		references: References,
		context: Context,
	): Promise<Partial<Viewed["row"]>>;
	/** What follows from a write, told the columns as they will be and the custom field values as they are then. */
	follow?(
		row: Viewed["row"],
		values: ValuesRow | undefined,
		isNew: boolean,
		context: Context,
	): Promise<Followed<Viewed["row"]> | null>;
}
