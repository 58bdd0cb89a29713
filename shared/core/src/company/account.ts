import {
	type AccountModule,
	MODULE_IDS,
	MODULES,
	type ModuleId,
	notFound,
} from "@partnerwire/contract";
import { and, eq } from "drizzle-orm";
import type { Context } from "../context/context.ts";
import { isModuleEnabled } from "../execute/access.ts";
import type { Handlers } from "../execute/handlers.ts";
import { toCurrencyRef } from "../resource/to-ref.ts";
import { setModule } from "./provision.ts";

async function readModule(
	id: ModuleId,
	{ db, caller }: Context,
): Promise<AccountModule> {
	const enabled = await isModuleEnabled(db, caller.companyUuid, id);
	return { id, label: MODULES[id], enabled };
}

/** The operations on the account: the company of the key, the key's permissions, and the company's modules. */
export const accountHandlers = {
	getAccount: async (_, { db, caller }) => {
		const { company, currency } = db.tables;
		const [found] = await db.query
			.select({
				row: company,
				default_currency: toCurrencyRef(currency),
			})
			.from(company)
			.leftJoin(
				currency,
				and(
					eq(currency.companyUuid, company.uuid),
					eq(currency.isDefault, true),
				),
			)
			.where(eq(company.uuid, caller.companyUuid));
		if (!found) throw notFound("account");
		const { uuid, name, domain, defaultCountry } = found.row;
		return {
			uuid,
			name,
			domain,
			default_currency: found.default_currency,
			default_country: defaultCountry,
		};
	},

	getAccountPermissions: async (_, { caller }) => ({
		read: caller.read,
		write: caller.write,
	}),

	listAccountModules: async (_, context) => {
		const modules: AccountModule[] = [];
		for (const id of MODULE_IDS) modules.push(await readModule(id, context));
		return modules;
	},

	updateAccountModule: async ({ params, body }, context) => {
		const id = MODULE_IDS.find((module) => module === params.module);
		if (!id) throw notFound("module");
		const before = await readModule(id, context);
		if (before.enabled === body.enabled) return { result: before, changes: [] };
		const { companyUuid } = context.caller;
		await setModule(context.db, companyUuid, id, body.enabled);
		const after = await readModule(id, context);
		const toMember = ({ enabled }: AccountModule) => ({ [id]: enabled });
		const change = {
			entity: "account",
			uuid: companyUuid,
			action: "updated",
			before: toMember(before),
			after: toMember(after),
		};
		return { result: after, changes: [change] };
	},
} satisfies Partial<Handlers>;
