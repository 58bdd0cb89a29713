import type { RoomUpdate } from "@partnerwire/contract";
import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/db.ts";
import { defineQuery } from "../../db/prepared.ts";
import type { SomeHandlers } from "../../execute/handlers.ts";
import { whenEqual } from "../conditions.ts";
import { loadContentLinks } from "../content-links.ts";
import { createRecords } from "../create-records.ts";
import { listPage } from "../list-page.ts";
import { nextSeries } from "../next-series.ts";
import { contentConditions, toContent } from "./content.ts";

const selectRooms = ({ query, tables: { room } }: Db) =>
	query.select({ row: room }).from(room).$dynamic();

const findRoom = defineQuery("room_by_uuid", (db) =>
	selectRooms(db).where(
		and(
			eq(db.tables.room.uuid, sql.placeholder("uuid")),
			eq(db.tables.room.companyUuid, sql.placeholder("companyUuid")),
		),
	),
);

const toColumns = (body: RoomUpdate) => ({
	label: body.label,
	live: body.live,
	roomType: body.room_type,
	partnerType: body.partner_type,
	visibility: body.visibility,
	series: body.series,
});

export const rooms = createRecords({
	table: "room",
	entity: "room",
	noun: "room",
	links: "contentLink",
	find: findRoom,
	attach: loadContentLinks,
	toShown: ({ row }, { categories, stages, tags, tiers }) => ({
		...toContent(row),
		room_type: row.roomType,
		partner_type: row.partnerType,
		visibility: row.visibility,
		series: row.series,
		categories,
		stages,
		tags,
		tiers,
	}),
	toColumns: async (body: RoomUpdate) => toColumns(body),
});

/** Rooms of the partner portal. */
export const roomHandlers: SomeHandlers<
	| "listRooms"
	| "getRoom"
	| "createRoom"
	| "updateRoom"
	| "archiveRoom"
	| "restoreRoom"
> = {
	listRooms: ({ query }, context) => {
		const { db } = context;
		const { room } = db.tables;
		return listPage(db, query, {
			table: room,
			query: selectRooms(db),
			conditions: [
				...contentConditions(context, "room", query),
				whenEqual(room.partnerType, query.partner_type),
				whenEqual(room.visibility, query.visibility),
			],
			sortable: { label: room.label, series: room.series },
			toItems: (rows) => rooms.showAll(rows, { db }),
		});
	},
	getRoom: rooms.handlers.get,
	createRoom: async ({ body }, context) => {
		const { companyUuid } = context.caller;
		const isOwn = (room: typeof context.db.tables.room) =>
			eq(room.companyUuid, companyUuid);
		const defaults = {
			live: body.live ?? false,
			visibility: body.visibility ?? "all",
			series: body.series ?? (await nextSeries(context, "room", isOwn)),
		} as const;
		return rooms.create({ ...toColumns(body), ...defaults }, context);
	},
	updateRoom: rooms.handlers.update,
	archiveRoom: rooms.handlers.archive,
	restoreRoom: rooms.handlers.restore,
};
