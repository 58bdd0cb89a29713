import { z } from "zod";
import { MODULE_IDS } from "../table/modules.ts";
import { CurrencyRef } from "../table/references.ts";

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
