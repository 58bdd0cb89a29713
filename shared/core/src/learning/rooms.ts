import type { RoomUpdate } from "@partnerwire/contract";
import { eq } from "drizzle-orm";
import type { Handlers } from "../execute/handlers.ts";
import { whenEqual } from "../resource/conditions.ts";
import { nextSeries } from "../resource/next-series.ts";
import { createContent, toContent } from "./create-content.ts";

export const rooms = createContent({
	table: "room",
	toShown: (row, { categories, stages, tags, tiers }) => ({
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
	toColumns: async (body: RoomUpdate) => ({
		label: body.label,
		live: body.live,
		roomType: body.room_type,
		partnerType: body.partner_type,
		visibility: body.visibility,
		series: body.series,
	}),
	defaults: { visibility: "all" },
	complete: async ({ series }, context) => ({
		series:
			series ??
			(await nextSeries(context, "room", ({ companyUuid }) =>
				eq(companyUuid, context.caller.companyUuid),
			)),
	}),
});

/** The operations on rooms of the partner portal. */
export const roomHandlers = {
	listRooms: ({ query }, context) => {
		const { room } = context.db.tables;
		return rooms.list(query, context, {
			conditions: [
				whenEqual(room.partnerType, query.partner_type),
				whenEqual(room.visibility, query.visibility),
			],
			sortable: { series: room.series },
		});
	},
	getRoom: rooms.handlers.get,
	createRoom: rooms.handlers.create,
	updateRoom: rooms.handlers.update,
	archiveRoom: rooms.handlers.archive,
	restoreRoom: rooms.handlers.restore,
} satisfies Partial<Handlers>;
