import * as z from "zod";
import {
	pageOf,
	pageQuery,
	querySearch,
	sortQuery,
} from "../../table/list-query.ts";
import { defineRead } from "../../table/operation.ts";
import { RecordParams } from "../../table/params.ts";
import { labelled } from "../label.ts";

/** A currency that amounts may be in. The API only reads them. */
export const Currency = z.object({
	...labelled,
	code: z.string(),
	is_default: z.boolean(),
});
export type Currency = z.infer<typeof Currency>;

const currencies = { group: "Currencies", path: "/v1/currencies" } as const;

export const currencyOperations = {
	listCurrencies: defineRead({
		...currencies,
		summary: "List currencies",
		query: z.object({
			...pageQuery,
			search: querySearch().optional(),
			sort: sortQuery("label", "-label"),
		}),
		response: pageOf(Currency),
	}),
	getCurrency: defineRead({
		...currencies,
		path: "/v1/currencies/{uuid}",
		summary: "Get a currency",
		params: RecordParams,
		response: Currency,
	}),
};
