/* The SDK's client as tests of an emulator need it. */
import {
	type Client,
	type ClientOptions,
	createClient,
} from "@partnerwire/sdk";
import type { Emulator, EmulatorKeys } from "./start-emulator.ts";

/** The options of a client, but that it repeats nothing by default. */
export interface TestClientOptions
	extends Omit<ClientOptions, "baseUrl" | "apiKey"> {
	/** The name of the key that it uses. By default `full`. */
	readonly key?: keyof EmulatorKeys | undefined;
}

/**
 * Creates a client of an emulator. It has the emulator's key at each call, so that it outlives a reset to another seed. It
 * repeats nothing unless you set `retries`, so that a test sees a fault and waits for none.
 *
 * @example
 * const client = createTestClient(emulator);
 * emulator.faults.add({ kind: "503", operation_id: "createLead" });
 * await expect(client.createLead({ body })).rejects.toMatchObject({ status: 503 });
 */
export function createTestClient(
	emulator: Pick<Emulator, "url" | "keys">,
	{ key = "full", ...options }: TestClientOptions = {},
): Client {
	const request: typeof fetch = options.fetch ?? ((...sent) => fetch(...sent));
	return createClient({
		...options,
		retries: options.retries ?? 0,
		baseUrl: emulator.url,
		apiKey: emulator.keys[key],
		fetch(url, init) {
			const headers = new Headers(init?.headers);
			headers.set("authorization", `Bearer ${emulator.keys[key]}`);
			return request(url, { ...init, headers });
		},
	});
}
