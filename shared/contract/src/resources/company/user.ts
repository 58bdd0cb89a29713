import * as z from "zod";
import {
	pageOf,
	pageQuery,
	querySearch,
	sortQuery,
} from "../../table/list-query.ts";
import { defineRead } from "../../table/operation.ts";
import { RecordParams } from "../../table/params.ts";
import { timestamp } from "../../table/text.ts";

/** A person of the company. The API only reads them. */
export const User = z.object({
	uuid: z.string(),
	email: z.string(),
	first_name: z.string(),
	last_name: z.string(),
	created_at: timestamp(),
	updated_at: timestamp(),
});
export type User = z.infer<typeof User>;

const users = { group: "Users", path: "/v1/users" } as const;

export const userOperations = {
	listUsers: defineRead({
		...users,
		summary: "List users",
		query: z.object({
			...pageQuery,
			search: querySearch().optional(),
			sort: sortQuery(),
		}),
		response: pageOf(User),
	}),
	getUser: defineRead({
		...users,
		path: "/v1/users/{uuid}",
		summary: "Get a user",
		params: RecordParams,
		response: User,
	}),
};
