import type { Core } from "@partnerwire/core";
import { createApp, listen } from "partnerwire";
import { serveCalls } from "../kit/child.ts";
import { addSeededCompany, openCompany } from "../kit/company.ts";
import { addFields } from "../kit/fields-company.ts";

async function serve(core: Core): Promise<string> {
	const app = createApp(core, {
		rateLimit: 0,
		onFault: (fault) => console.error(fault),
	});
	return (await listen(app, { port: 0, host: "127.0.0.1" })).url;
}

/** Our service on a database. Its worker is off, so that both sides only write rows. */
const calls = {
	async open({ folder, database }: { folder: string; database?: string }) {
		const company = await openCompany(
			folder,
			"http://127.0.0.1:9/hook",
			database === undefined ? {} : { database },
		);
		const { service, key, partnershipUuid } = company;
		return { url: await serve(service.core), key, partnershipUuid };
	},

	/** The same on PostgreSQL with several companies. */
	async openMany({
		folder,
		database,
		companies,
	}: {
		folder: string;
		database: string;
		companies: number;
	}) {
		const hook = "http://127.0.0.1:9/hook";
		const first = await openCompany(folder, hook, { database });
		const made = [first as Omit<typeof first, "service">];
		while (made.length < companies)
			made.push(await addSeededCompany(first.service, hook));
		return {
			url: await serve(first.service.core),
			companies: made.map(({ key, partnershipUuid }) => ({
				key,
				partnershipUuid,
			})),
		};
	},

	/** The same with a second company, whose leads have custom fields. */
	async openWithFields(folder: string) {
		const company = await openCompany(folder, "http://127.0.0.1:9/hook");
		const fields = await addFields(company.service);
		const { service, key, partnershipUuid } = company;
		const url = await serve(service.core);
		return { url, plain: { key, partnershipUuid, values: [] }, fields };
	},
};
export type Calls = typeof calls;

serveCalls(calls);
