import * as z from "zod";
import { MODULE_IDS } from "../../table/modules.ts";
import { defineRead, defineWrite } from "../../table/operation.ts";
import { CurrencyRef } from "../../table/references.ts";

/* The account: the company that a key belongs to, what the key may do, and the modules. */

/** The company that a key belongs to. */
export const Account = z.object({
	uuid: z.string(),
	name: z.string(),
	domain: z.string().nullable(),
	default_currency: CurrencyRef.nullable(),
	default_country: z.string().nullable(),
});
export type Account = z.infer<typeof Account>;

/** The permissions of the calling key. */
export const AccountPermissions = z.object({
	read: z.boolean(),
	write: z.boolean(),
});
export type AccountPermissions = z.infer<typeof AccountPermissions>;

export const AccountModule = z.object({
	id: z.enum(MODULE_IDS),
	label: z.string(),
	enabled: z.boolean(),
});
export type AccountModule = z.infer<typeof AccountModule>;

export const AccountModuleUpdate = z.object({ enabled: z.boolean() });

const account = { group: "Account" } as const;

export const accountOperations = {
	getAccount: defineRead({
		...account,
		path: "/v1/account",
		summary: "Get the company that the key belongs to",
		response: Account,
	}),
	getAccountPermissions: defineRead({
		...account,
		path: "/v1/account/permissions",
		summary: "Get what the key may do",
		response: AccountPermissions,
	}),
	listAccountModules: defineRead({
		...account,
		path: "/v1/account/modules",
		summary: "List the modules and whether they are enabled",
		response: z.array(AccountModule),
	}),
	updateAccountModule: defineWrite({
		...account,
		method: "PATCH",
		path: "/v1/account/modules/{module}",
		summary: "Enable or disable a module",
		params: z.object({ module: z.string() }),
		body: AccountModuleUpdate,
		response: AccountModule,
	}),
};
