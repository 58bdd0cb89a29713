import { join } from "node:path";
import { type Client, createClient } from "@partnerwire/sdk";
import { type Partnerwire, startPartnerwire } from "./partnerwire.ts";

interface Keys {
	read: string;
	write: string;
	full: string;
}

/** Starts `partnerwire serve --demo --dev` as a real process on a database in `folder`. */
export interface DemoService extends Partnerwire {
	readonly url: string;
	readonly keys: Keys;
	readonly client: Client;
}

export async function startDemoService(
	folder: string,
	options: {
		args?: readonly string[];
		keys?: Keys;
		env?: Record<string, string>;
		redirect?: string;
	} = {},
): Promise<DemoService> {
	const database = join(folder, "test.db");
	const started = startPartnerwire(
		[
			...["serve", "--demo", "--dev", "--json", "--port", "0"],
			...["--database", database],
			...(options.args ?? []),
		],
		{
			...(options.env && { env: options.env }),
			...(options.redirect && { redirect: options.redirect }),
		},
	);
	const keys = options.keys ?? ((await started.line("seeded")).keys as Keys);
	const url = String((await started.line("ready")).url);
	return {
		...started,
		url,
		keys,
		client: createClient({ baseUrl: url, apiKey: keys.full }),
	};
}

/** The uuid of a partner of the seed. */
export async function findPartnership(client: Client): Promise<string> {
	const [partner] = (await client.listPartners()).data;
	if (!partner) throw new Error("the seed holds no partner");
	return partner.uuid;
}
