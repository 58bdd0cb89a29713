import { seedCompany } from "@partnerwire/core";
import { type Client, createClient } from "@partnerwire/sdk";
import {
	createApp,
	createDashboard,
	listen,
	openService,
	readSeed,
	type ServiceOptions,
} from "partnerwire";

/** The whole service with its dashboard in this process, on a real socket and file, with a seeded company. */
export async function openDashboard(options: ServiceOptions) {
	const faults: unknown[] = [];
	const onFault = (error: unknown) => faults.push(error);
	const service = await openService({
		allowHttp: true,
		allowPrivate: true,
		onFault,
		...options,
	});
	const { keys } = await service.store.write((db) =>
		seedCompany(db, readSeed(), service.core.clock()),
	);
	const dashboard = createDashboard(service.core, { onFault });
	const app = createApp(service.core, { rateLimit: 0, dashboard, onFault });
	const server = await listen(app, { port: 0, host: "127.0.0.1" });
	service.startWorker();
	const client: Client = createClient({
		baseUrl: server.url,
		apiKey: keys.full,
	});
	return {
		url: server.url,
		keys,
		client,
		service,
		faults,
		async close() {
			await dashboard.close();
			await server.close();
			await service.close();
		},
	};
}
