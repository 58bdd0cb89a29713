import { join } from "node:path";
import type { Caller } from "@partnerwire/core";
import { seedCompany } from "@partnerwire/core";
import {
	openService,
	readSeed,
	type Service,
	type ServiceOptions,
} from "partnerwire";

/** What the integration sends along with each event. */
export const CONFIGURATION = [
	{
		id: "lead_integration_settings",
		selected: [{ id: "unique_field_lead", value: "email" }],
	},
];

export interface Company {
	readonly service: Service;
	readonly caller: Caller;
	/** The value of an API key that may read and write. */
	readonly key: string;
	readonly partnershipUuid: string;
}

/** Opens the service on a new database file with a seeded company and one integration that subscribes to everything. */
export async function openCompany(
	folder: string,
	webhookUrl: string,
	options: Pick<ServiceOptions, "onAttempt"> = {},
): Promise<Company> {
	const service = await openService({
		database: join(folder, "ours.db"),
		allowHttp: true,
		allowPrivate: true,
		onFault: (fault) => console.error(fault),
		...options,
	});
	const { store, core } = service;
	const { keys } = await store.write((db) =>
		seedCompany(db, readSeed(), Date.now()),
	);
	const caller = await core.authenticate(keys.full);
	if (!caller) throw new TypeError("the seed's key is not valid");
	await core.execute(
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
	const partners = await core.execute("listPartners", {} as never, caller);
	const [partner] = partners.data;
	if (!partner) throw new TypeError("the seed has no partner");
	return { service, caller, key: keys.full, partnershipUuid: partner.uuid };
}
