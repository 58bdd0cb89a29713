import { z } from "zod";
import { queryBoolean, querySearch } from "../../table/list-query.ts";
import { requiredLine, text, timestamp } from "../../table/text.ts";
import { sortQuery } from "../sort.ts";

/** The members that resources, certifications and rooms share. */
export const shownContent = {
	uuid: z.string(),
	label: z.string(),
	live: z.boolean(),
	archived_at: timestamp().nullable(),
	created_at: timestamp(),
	updated_at: timestamp(),
};

/** The members that their bodies share. `live` is false by default. */
export const writtenContent = { label: requiredLine(), live: z.boolean() };

/** A few sentences. */
export const summary = () => text(10_000).nullable();

/** The filters that their lists share. */
export const contentFilters = {
	search: querySearch().optional(),
	live: queryBoolean().optional(),
	archived: queryBoolean().default(false),
	sort: sortQuery("label", "-label"),
};
