import { type Currency, notFound, type User } from "@partnerwire/contract";
import { and, eq } from "drizzle-orm";
import type { RowOf } from "../db/insert-row.ts";
import type { Handlers } from "../execute/handlers.ts";
import { whenContains } from "../resource/conditions.ts";
import { listPage } from "../resource/list-page.ts";
import { toTimes } from "../values/times.ts";

const toCurrency = (row: RowOf<"currency">): Currency => ({
	uuid: row.uuid,
	label: row.label,
	code: row.code,
	is_default: row.isDefault,
	...toTimes(row),
});

const toUser = (row: RowOf<"user">): User => ({
	uuid: row.uuid,
	email: row.email,
	first_name: row.firstName,
	last_name: row.lastName,
	...toTimes(row),
});

/** The operations on currencies and users, which the API shows and does not change. */
export const readOnlyHandlers = {
	listCurrencies: ({ query }, { db, caller }) => {
		const { currency } = db.tables;
		return listPage(db, query, {
			table: currency,
			query: db.query.select().from(currency).$dynamic(),
			conditions: [
				eq(currency.companyUuid, caller.companyUuid),
				whenContains(db, [currency.code, currency.label], query.search),
			],
			sortable: { label: currency.label },
			toItems: (rows) => rows.map(toCurrency),
		});
	},

	getCurrency: async ({ params }, { db, caller }) => {
		const { currency } = db.tables;
		const [found] = await db.query
			.select()
			.from(currency)
			.where(
				and(
					eq(currency.uuid, params.uuid),
					eq(currency.companyUuid, caller.companyUuid),
				),
			);
		if (!found) throw notFound("currency");
		return toCurrency(found);
	},

	listUsers: ({ query }, { db, caller }) => {
		const { user } = db.tables;
		return listPage(db, query, {
			table: user,
			query: db.query.select().from(user).$dynamic(),
			conditions: [
				eq(user.companyUuid, caller.companyUuid),
				whenContains(
					db,
					[user.email, user.firstName, user.lastName],
					query.search,
				),
			],
			toItems: (rows) => rows.map(toUser),
		});
	},

	getUser: async ({ params }, { db, caller }) => {
		const { user } = db.tables;
		const [found] = await db.query
			.select()
			.from(user)
			.where(
				and(
					eq(user.uuid, params.uuid),
					eq(user.companyUuid, caller.companyUuid),
				),
			);
		if (!found) throw notFound("user");
		return toUser(found);
	},
} satisfies Partial<Handlers>;
