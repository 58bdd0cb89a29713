import { createApp, listen } from "partnerwire";
import { serveCalls } from "./child.ts";
import { openCompany } from "./company.ts";

/** Our service on a database file; its worker is off, so that both sides only write rows. */
const calls = {
	async open(folder: string) {
		const { service, key, partnershipUuid } = await openCompany(
			folder,
			"http://127.0.0.1:9/hook",
		);
		const app = createApp(service.core, {
			rateLimit: 0,
			onFault: (fault) => console.error(fault),
		});
		const { url } = await listen(app, { port: 0, host: "127.0.0.1" });
		return { url, key, partnershipUuid };
	},
};
export type Calls = typeof calls;

serveCalls(calls);
