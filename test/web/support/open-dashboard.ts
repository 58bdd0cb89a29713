import { seedCompany } from "@partnerwire/core";
import { type Client, createClient } from "@partnerwire/sdk";
import {
	createApp,
	createDashboard,
	type DashboardOptions,
	listen,
	openService,
	readSeed,
	type ServiceOptions,
} from "partnerwire";

type Options = ServiceOptions & Pick<DashboardOptions, "setUpLink">;

/** Opens the whole service with its dashboard in this process, on a real socket and an empty database file. */
export async function openEmptyDashboard(options: Options) {
	const faults: unknown[] = [];
	const onFault = (error: unknown) => faults.push(error);
	const { setUpLink, ...rest } = options;
	const service = await openService({
		allowHttp: true,
		allowPrivate: true,
		onFault,
		...rest,
	});
	const dashboard = createDashboard(service.core, { onFault, setUpLink });
	const app = createApp(service.core, { rateLimit: 0, dashboard, onFault });
	const server = await listen(app, { port: 0, host: "127.0.0.1" });
	service.startWorker();
	return {
		url: server.url,
		service,
		faults,
		async close() {
			await dashboard.close();
			await server.close();
			await service.close();
		},
	};
}

/** Does the same with a seeded company. */
export async function openDashboard(options: Options) {
	const opened = await openEmptyDashboard(options);
	const { service, url } = opened;
	const { keys } = await service.store.write((db) =>
		seedCompany(db, readSeed(), service.core.clock()),
	);
	const client: Client = createClient({ baseUrl: url, apiKey: keys.full });
	return { ...opened, keys, client };
}
