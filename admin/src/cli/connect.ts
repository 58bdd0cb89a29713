import { type Client, createClient } from "@partnerwire/sdk";
import { createOutput, type Output } from "./output/output.ts";
import { clientFlags, jsonFlag } from "./settings/flags.ts";
import { readSettings } from "./settings/settings.ts";
import { CommandError, UsageError } from "./usage-error.ts";

/** The flags of commands that call a running service. */
export const connectFlags = { ...clientFlags, ...jsonFlag } as const;

const PRINTABLE_ASCII = /^[\x21-\x7e]+$/;

/** Creates a client of the service that the flags name, so that such commands work from any machine. */
export function connect(args: Record<string, unknown>): {
	client: Client;
	output: Output;
} {
	const { url, apiKey, json } = readSettings(args);
	if (!apiKey)
		throw new UsageError(
			"an API key is needed: set PARTNERWIRE_API_KEY, or give --api-key",
		);
	if (!PRINTABLE_ASCII.test(apiKey))
		throw new UsageError(
			"the API key holds a character that no key has (only printable ASCII, no spaces): copy the whole key",
		);
	const reach: typeof fetch = async (...request) => {
		try {
			return await fetch(...request);
		} catch {
			throw new CommandError(
				`${url} cannot be reached: is the service running?`,
			);
		}
	};
	return {
		client: createClient({ baseUrl: url, apiKey, fetch: reach }),
		output: createOutput(json),
	};
}
