import type { CustomFieldValue, PartnerType } from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import type { Change, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { ValuesRow } from "../custom-fields/engine/stored-values.ts";
import type { LinkTable } from "./create-links.ts";
import type { RecordFieldsKind } from "./record-fields.ts";
import type { LoadAttached } from "./record-links.ts";
import type { References } from "./references.ts";
import type { ResourceKind, ViewedRow } from "./resource-kind.ts";

/** The consequences of a write: columns to write with it, and records to write after it. */
export interface Followed<Row> {
	readonly columns: Partial<Row>;
	cascade(): Promise<readonly Change[]>;
}

/** A record as it is read, with the records that it refers to. */
export interface ViewedRecord extends ViewedRow {
	/** Whether it has custom field values, where it can. */
	hasFields?: unknown;
	/** Whether it has links, if the query reads that. */
	hasLinks?: unknown;
}

/** The rules for one kind of records. */
export interface RecordKind<
	Viewed extends ViewedRecord,
	Shown extends Resource,
	Body,
	Attached,
> extends Omit<
		ResourceKind<Viewed, Shown>,
		"showAll" | "toEmission" | "cascade"
	> {
	/** The events of its changes, and the record in their bodies. Restoring is an update. Left out if it has no events. */
	readonly webhook?: {
		readonly events: Readonly<
			Record<"created" | "updated" | "archived", EventId>
		>;
		toPayload(shown: Shown): object;
	};
	/** The table of its links; `recordLink` when left out. */
	readonly links?: LinkTable;
	/** Loads its links, such as tags. Without uuids it runs no query. Left out if it has none. */
	readonly attach?: LoadAttached<Attached>;
	/** Left out if it has no custom fields. */
	readonly fields?: RecordFieldsKind<Viewed> & {
		/** The partner type of the record after the columns are written; `before` is null for a new record. */
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
	/** Converts a body to columns. Throws a 400 for invalid references. A new record has no `row`. */
	toColumns(
		body: Body,
		references: References,
		write: { context: Context; row: Viewed["row"] | undefined },
	): Promise<Partial<Viewed["row"]>>;
	/** Finds the consequences of a write, from the columns and custom field values as they will be after it. */
	follow?(
		row: Viewed["row"],
		values: ValuesRow | undefined,
		isNew: boolean,
		context: Context,
	): Promise<Followed<Viewed["row"]> | null>;
}
