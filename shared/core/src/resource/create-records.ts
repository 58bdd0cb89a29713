import {
	type CustomFieldInputs,
	notFound,
	type Success,
} from "@partnerwire/contract";
import type { Emission, Resource } from "../context/change.ts";
import type { Context } from "../context/context.ts";
import type { Outcome } from "../execute/handlers.ts";
import { toChangedColumns } from "./patch.ts";
import {
	changeFields,
	type FieldsChange,
	loadFields,
	type Submitted,
	showFields,
} from "./record-fields.ts";
import type { RecordKind, ViewedRecord } from "./record-kind.ts";
import { createReferences } from "./references.ts";
import { createResource } from "./resource.ts";
import type { Action, One } from "./resource-kind.ts";

/** Parts of a change of a record besides its columns. */
export interface ChangeOptions {
	readonly action?: "updated" | "archived" | "restored";
	/** The custom fields that a request submits. */
	readonly submitted?: Submitted | undefined;
	/** Writes the record's links. */
	readonly writeLinks?: (() => Promise<unknown>) | undefined;
}

/** The custom fields of a body; undefined if it does not mention them. */
function toSubmitted(body: object): Submitted | undefined {
	const { custom_fields } = body as { custom_fields?: CustomFieldInputs };
	return custom_fields && { submissions: custom_fields };
}

/** Reads, creates, changes and archives one kind of record. Records have links, custom fields and events. */
export function createRecords<
	Viewed extends ViewedRecord,
	Shown extends Resource,
	Body extends object,
	Attached,
>(kind: RecordKind<Viewed, Shown, Body, Attached>) {
	type Columns = Partial<Viewed["row"]>;
	const attachTo = kind.attach ?? (async () => () => undefined as Attached);

	const resource = createResource<Viewed, Shown>({
		...kind,
		toEmission,
		async showAll(rows, context) {
			const { db } = context;
			const linked = rows.filter(({ hasLinks = true }) => hasLinks);
			const attachedTo = await attachTo(
				db,
				linked.map(({ row }) => row.uuid),
			);
			const fields = await loadFields(rows, kind.fields, context);
			return rows.map((viewed) =>
				kind.toShown(viewed, attachedTo(viewed.row.uuid), fields.show(viewed)),
			);
		},
	});
	const { seek, read, show, remove } = resource;

	function toEmission(
		action: Action,
		shown: Shown,
		{ uuid }: Viewed["row"],
	): Emission | undefined {
		if (!kind.webhook) return undefined;
		const { events, toPayload } = kind.webhook;
		const event =
			action === "created" || action === "archived" ? action : "updated";
		return {
			eventId: events[event],
			recordUuid: uuid,
			entity: toPayload(shown),
		};
	}

	/** Throws a 404 for an archived record, which cannot be changed (docs/decisions.md#archived-records). */
	function toLive(viewed: Viewed | undefined): Viewed {
		if (!viewed || typeof viewed.row.archivedAt === "number")
			throw notFound(kind.noun);
		return viewed;
	}

	const readLive = async (uuid: string, context: Context): Promise<Viewed> =>
		toLive(await seek(uuid, context));

	/** Writes a record's custom fields as a request asks; no change if the request does not mention them. */
	async function writeFields(
		write: { uuid: string; columns: Columns; before: Viewed | null },
		values: Parameters<typeof changeFields>[1],
		submitted: Submitted | undefined,
		context: Context,
	): Promise<FieldsChange> {
		if (!kind.fields || !submitted) return { values, auditChanges: [] };
		const { uuid, columns, before } = write;
		const { category, partnerTypeWith } = kind.fields;
		const record = {
			entity: kind.entity,
			uuid,
			toSurface: async () => ({
				category,
				partnerType: await partnerTypeWith(columns, before, context),
				mode: before ? ("update" as const) : ("create" as const),
			}),
		};
		return changeFields(record, values, submitted, context);
	}

	async function create(
		columns: Columns,
		context: Context,
		submitted: Submitted = { submissions: [] },
		/** Writes the links that the new record begins with. */
		writeLinks?: (uuid: string) => Promise<unknown>,
	): Promise<Outcome<Shown>> {
		const { db } = context;
		const uuid = context.newUuid();
		const record = { uuid, columns, before: null };
		const written = await writeFields(record, undefined, submitted, context);
		const row = { ...columns, uuid } as Viewed["row"];
		const followed = await kind.follow?.(row, written.values, true, context);
		return resource.create({ ...columns, ...followed?.columns }, context, {
			uuid,
			also: written.auditChanges,
			...((writeLinks || followed) && {
				async cascade() {
					await writeLinks?.(uuid);
					return followed?.cascade();
				},
			}),
			async show(viewed) {
				const attachedTo = await attachTo(db, writeLinks ? [uuid] : []);
				const fields = await showFields(viewed, written, kind.fields, context);
				return kind.toShown(viewed, attachedTo(uuid), fields);
			},
		});
	}

	/** Writes the custom fields, the links and the columns that differ. */
	async function change(
		viewed: Viewed,
		columns: Columns,
		context: Context,
		{ action, submitted, writeLinks }: ChangeOptions = {},
	): Promise<Outcome<Shown>> {
		const { db } = context;
		const { uuid } = viewed.row;
		const { hasLinks = true } = viewed;
		const attachedTo = await attachTo(db, hasLinks ? [uuid] : []);
		const fields = await loadFields([viewed], kind.fields, context);
		const before = kind.toShown(viewed, attachedTo(uuid), fields.show(viewed));
		const record = { uuid, columns, before: viewed };
		const values = fields.valuesOf(viewed);
		const written = await writeFields(record, values, submitted, context);
		const requested = toChangedColumns(viewed.row, columns);
		const row = { ...viewed.row, ...requested };
		const followed = await kind.follow?.(row, written.values, false, context);
		return resource.change(
			viewed,
			{ ...requested, ...followed?.columns } as Columns,
			context,
			{
				action,
				isChanged: written.auditChanges.length > 0 || !!writeLinks,
				also: written.auditChanges,
				before,
				...((writeLinks || followed) && {
					async cascade() {
						await writeLinks?.();
						return followed?.cascade();
					},
				}),
				async show(now) {
					const attachedNow = writeLinks
						? await attachTo(db, [uuid])
						: attachedTo;
					const shown = await showFields(now, written, kind.fields, context);
					return kind.toShown(now, attachedNow(uuid), shown);
				},
			},
		);
	}

	/**
	 * The event of a record of which a part was changed. It sets `updated_at` too: a receiver that does not read
	 * `jti` takes two equal bodies for one event.
	 */
	async function touch(
		uuid: string,
		context: Context,
	): Promise<Emission | undefined> {
		await resource.update(uuid, {}, context);
		const viewed = await read(uuid, context);
		return toEmission("updated", await show(viewed, context), viewed.row);
	}

	const handlers = {
		get: async ({ params }: One, context: Context) =>
			show(await read(params.uuid, context), context),

		create: async ({ body }: { body: Body }, context: Context) => {
			const references = createReferences(context);
			const write = { context, row: undefined };
			const columns = await kind.toColumns(body, references, write);
			return create(columns, context, toSubmitted(body));
		},

		update: async (
			{ params, body }: One & { body: Body },
			context: Context,
		) => {
			const found = await seek(params.uuid, context);
			const write = { context, row: found?.row };
			const references = createReferences(context, found?.row);
			const columns = await kind.toColumns(body, references, write);
			const submitted = toSubmitted(body);
			return change(toLive(found), columns, context, { submitted });
		},

		archive: async (
			{ params }: One,
			context: Context,
		): Promise<Outcome<Success>> => {
			const viewed = await readLive(params.uuid, context);
			const columns = { archivedAt: context.nowMs } as Columns;
			const action = "archived";
			const { changes } = await change(viewed, columns, context, { action });
			return { result: { success: true }, changes };
		},

		/** A record that is not archived stays as it is. */
		restore: async ({ params }: One, context: Context) => {
			const viewed = await read(params.uuid, context);
			const columns = { archivedAt: null } as Columns;
			return change(viewed, columns, context, { action: "restored" });
		},

		remove: async ({ params }: One, context: Context) =>
			remove(await read(params.uuid, context), context),
	};

	return {
		...resource,
		/** The table of their links. */
		links: kind.links ?? ("recordLink" as const),
		fields: kind.fields,
		readLive,
		create,
		change,
		touch,
		handlers,
	};
}
