/* Commands that work on the database itself. */
import type { Caller, Db } from "@partnerwire/core";
import type { Service } from "../service/open-service.ts";
import { option } from "./settings/flag.ts";
import { text } from "./settings/readers.ts";
import type { Settings } from "./settings/settings.ts";
import { CommandError } from "./usage-error.ts";

export const companyFlag = {
	company: option(
		"uuid",
		"The company's uuid; not needed when there is only one",
		text,
	),
};

/** Opens the database, runs a command on it, and closes it. Only commands that start a database may create it. */
export async function withService<Result>(
	settings: Settings,
	work: (service: Service) => Promise<Result>,
	{ mayCreate = false } = {},
): Promise<Result> {
	const { openFromSettings } = await import("./start.ts");
	const service = await openFromSettings(settings, { mayCreate });
	try {
		return await work(service);
	} finally {
		await service.close();
	}
}

/** Runs a command on the database as the first user of its company. */
export const withCaller = (
	settings: Settings & { readonly company: string | undefined },
	work: (service: Service, caller: Caller) => Promise<void>,
): Promise<void> =>
	withService(settings, async (service) => {
		const { read } = service.store;
		const company = await findCompany(read, settings.company);
		await work(service, await toLocalCaller(read, company));
	});

/** Finds the company of a command: the given one, or the only one. */
export async function findCompany(
	{ query, tables: { company } }: Db,
	uuid: string | undefined,
): Promise<string> {
	const companies = await query.select().from(company);
	if (companies.length === 0) {
		throw new CommandError(
			"there is no company yet: create one with `partnerwire company create NAME`",
		);
	}
	if (uuid === undefined && companies.length === 1)
		return companies[0]?.uuid as string;
	const names = companies
		.map((known) => `${known.uuid} (${known.name})`)
		.join(", ");
	if (uuid === undefined)
		throw new CommandError(
			`there are several companies; choose with --company: ${names}`,
		);
	if (companies.some((known) => known.uuid === uuid.toLowerCase()))
		return uuid.toLowerCase();
	throw new CommandError(`there is no company ${uuid}; known: ${names}`);
}

/** The command line as a caller of operations: it acts as the company's first user, with every permission. */
export async function toLocalCaller(
	db: Db,
	companyUuid: string,
): Promise<Caller> {
	const { user } = db.tables;
	const users = await db.query
		.select()
		.from(user)
		.orderBy(user.createdAt, user.uuid);
	const own = users.find((known) => known.companyUuid === companyUuid);
	if (!own)
		throw new CommandError(
			"the company has no user yet: add one with `partnerwire user create`",
		);
	const { uuid, firstName, lastName } = own;
	return {
		companyUuid,
		userUuid: uuid,
		label: `${firstName} ${lastName} (command line)`,
		apiKeyUuid: null,
		read: true,
		write: true,
	};
}

/** Creates a key for the demo on a database that has a company already: the seed's keys are stored nowhere. */
export async function addDemoKey({ store, core }: Service): Promise<string> {
	const caller = await toLocalCaller(
		store.read,
		await findCompany(store.read, undefined),
	);
	const body = { label: "Demo", read: true, write: true };
	const created = await core.execute("createApiKey", { body }, caller);
	return created.key;
}
