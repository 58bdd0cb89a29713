import type { CustomFieldInputs, Success } from "@partnerwire/contract";
import type { Context } from "../context/context.ts";
import type { Outcome } from "../execute/handlers.ts";
import type { Submitted } from "./record-fields.ts";
import type { RecordKind, StoredRecord } from "./record-kind.ts";
import { createReferences } from "./references.ts";

/** The path of one record. */
export interface One {
	params: { uuid: string };
}

/** The custom fields of a body; undefined if it does not mention them. */
export function toSubmitted(body: object): Submitted | undefined {
	const { custom_fields } = body as { custom_fields?: CustomFieldInputs };
	return custom_fields && { submissions: custom_fields };
}

/** The operations on records that handlers call; `createRecords` makes it. */
interface Records<Viewed extends { row: StoredRecord }, Shown> {
	seek(uuid: string, context: Context): Promise<Viewed | undefined>;
	toLive(viewed: Viewed | undefined): Viewed;
	read(uuid: string, context: Context): Promise<Viewed>;
	readLive(uuid: string, context: Context): Promise<Viewed>;
	show(viewed: Viewed, context: Context): Promise<Shown>;
	change(
		viewed: Viewed,
		columns: Partial<Viewed["row"]>,
		context: Context,
		action?: "updated" | "archived" | "restored",
		submitted?: Submitted,
	): Promise<Outcome<Shown>>;
}

/** The handlers of the operations that are the same for every kind of record. */
export function createRecordHandlers<
	Viewed extends { row: StoredRecord },
	Shown,
	Body extends object,
>(
	kind: Pick<RecordKind<Viewed, never, Body, never>, "toColumns">,
	{ seek, toLive, read, readLive, show, change }: Records<Viewed, Shown>,
) {
	type Columns = Partial<Viewed["row"]>;
	return {
		get: async ({ params }: One, context: Context) =>
			show(await read(params.uuid, context), context),

		update: async (
			{ params, body }: One & { body: Body },
			context: Context,
		) => {
			const found = await seek(params.uuid, context);
			const references = createReferences(context, found?.row);
			const columns = await kind.toColumns(body, references, context);
			const viewed = toLive(found);
			return change(viewed, columns, context, "updated", toSubmitted(body));
		},

		archive: async (
			{ params }: One,
			context: Context,
		): Promise<Outcome<Success>> => {
			const viewed = await readLive(params.uuid, context);
			const columns = { archivedAt: context.nowMs } as Columns;
			const { changes } = await change(viewed, columns, context, "archived");
			return { result: { success: true }, changes };
		},

		/** A record that is not archived stays as it is. */
		restore: async ({ params }: One, context: Context) => {
			const viewed = await read(params.uuid, context);
			const columns = { archivedAt: null } as Columns;
			return change(viewed, columns, context, "restored");
		},
	};
}
