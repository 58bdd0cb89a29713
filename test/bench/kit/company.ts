import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Integration } from "@partnerwire/contract";
import {
	addApiKey,
	addCompany,
	addUser,
	type Caller,
	newUuid,
	seedCompany,
} from "@partnerwire/core";
import { createThreadedWire } from "@partnerwire/dispatcher";
import {
	openService,
	readSeed,
	type Service,
	type ServiceOptions,
} from "partnerwire";
import {
	emitEvent,
	startEmitting,
} from "#built/core/delivery/emit/emit-event.js";
import { CONFIGURATION, ENTITY } from "./delivery-load.ts";

export interface Company {
	readonly service: Service;
	readonly caller: Caller;
	/** The value of an API key that may read and write. */
	readonly key: string;
	readonly partnershipUuid: string;
}

/**
 * Opens the service on a new database with a seeded company and one integration that subscribes to everything. By default the
 * database is a file in the folder.
 */
export async function openCompany(
	folder: string,
	webhookUrl: string,
	options: Pick<
		ServiceOptions,
		"onAttempt" | "concurrency" | "perIntegration" | "retentionMs"
	> & { database?: string } = {},
): Promise<Company> {
	const service = await openService({
		database: join(folder, "ours.db"),
		...(options.database && { secretKey: randomBytes(32).toString("hex") }),
		allowHttp: true,
		allowPrivate: true,
		openWire: createThreadedWire,
		onFault: (fault) => console.error(fault),
		...options,
	});
	return { service, ...(await addSeededCompany(service, webhookUrl)) };
}

/** Seeds a company with one integration that subscribes to everything. */
export async function addSeededCompany(
	service: Service,
	webhookUrl: string,
): Promise<Omit<Company, "service">> {
	const { store, core } = service;
	const { keys } = await store.write((db) =>
		seedCompany(db, readSeed(), Date.now()),
	);
	const caller = await core.authenticate(keys.full);
	if (!caller) throw new TypeError("the seed's key is not valid");
	await addIntegration(service, caller, webhookUrl);
	const partners = await core.execute("listPartners", {} as never, caller);
	const [partner] = partners.data;
	if (!partner) throw new TypeError("the seed has no partner");
	return { caller, key: keys.full, partnershipUuid: partner.uuid };
}

const addIntegration = (
	{ core }: Service,
	caller: Caller,
	webhookUrl: string,
): Promise<Integration> =>
	core.execute(
		"createIntegration",
		{
			body: {
				label: "Bench",
				webhook_url: webhookUrl,
				configuration: CONFIGURATION,
			},
		} as never,
		caller,
	);

/** Adds a company with one integration that subscribes to everything. */
export interface Tenant {
	readonly caller: Caller;
	readonly integrationId: string;
}

export async function addTenant(
	service: Service,
	webhookUrl: string,
): Promise<Tenant> {
	const nowMs = Date.now();
	const caller = await service.store.write(async (db) => {
		const companyUuid = await addCompany(db, { name: "Tenant" }, nowMs);
		const user = { email: "t@x.example", firstName: "Toni", lastName: "Berg" };
		const userUuid = await addUser(db, { companyUuid, ...user }, nowMs);
		const may = { read: true, write: true };
		const { uuid: apiKeyUuid } = await addApiKey(
			db,
			{ companyUuid, userUuid, label: "Full", ...may },
			nowMs,
		);
		return { companyUuid, userUuid, apiKeyUuid, label: "Toni Berg", ...may };
	});
	const { id } = await addIntegration(service, caller, webhookUrl);
	return { caller, integrationId: id };
}

/** Commits one event of a caller's company in a transaction of its own, as an API request does. */
export function emit({ store }: Service, caller: Caller): Promise<number> {
	const nowMs = Date.now();
	return store.write(async (db) => {
		const context = { db, caller, nowMs, newUuid: () => newUuid(nowMs) };
		return emitEvent(
			{ eventId: "lead_updated", recordUuid: newUuid(nowMs), entity: ENTITY },
			await startEmitting(context),
		);
	}, caller.companyUuid);
}
