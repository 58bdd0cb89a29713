/* Commands that call a running service, from any machine. */
import { type Client, createClient } from "@partnerwire/sdk";
import { createOutput } from "./output/output.ts";
import { word } from "./settings/flag.ts";
import { id } from "./settings/readers.ts";
import type { Settings } from "./settings/settings.ts";
import { CommandError, UsageError } from "./usage-error.ts";

export const integrationId = word("The integration's id", id);

const PRINTABLE_ASCII = /^[\x21-\x7e]+$/;

/** Creates a client of the service that the settings name. */
export function connect({
	url,
	apiKey,
	json,
}: Pick<Settings, "url" | "apiKey" | "json">): Client {
	if (!apiKey)
		throw new UsageError(
			"an API key is needed: set PARTNERWIRE_API_KEY, or give --api-key",
		);
	if (!PRINTABLE_ASCII.test(apiKey))
		throw new UsageError(
			"the API key holds a character that no key has (only printable ASCII, no spaces): copy the whole key",
		);
	// The client repeats a request of which the connection was lost, but not the first one of a wrong URL.
	let isReached = false;
	const reach: typeof fetch = async (address, init) => {
		const headers = new Headers(init?.headers);
		// The command before may have changed something that a read replica does not have yet.
		headers.set("cache-control", "no-cache");
		try {
			const response = await fetch(address, { ...init, headers });
			isReached = true;
			return response;
		} catch (error) {
			if (isReached) throw error;
			throw new CommandError(
				`${url} cannot be reached: is the service running?`,
			);
		}
	};
	return createClient({
		baseUrl: url,
		apiKey,
		fetch: reach,
		onIgnored: ({ route, members }) =>
			createOutput(json).warn(
				`the service does not know ${members.join(", ")} of ${route}, and ignored it: is it older than this command line?`,
			),
	});
}
