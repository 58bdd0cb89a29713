import { type Client, createClient } from "@partnerwire/sdk";
import {
	type Emulator,
	type EmulatorOptions,
	startEmulator,
} from "partnerwire/emulator";
import { expect, onTestFinished } from "vitest";

export const START = "2026-11-27T12:00:00.000Z";

export interface OpenEmulator extends Emulator {
	readonly client: Client;
	/** A request to `/_emulator` and its answer. */
	control(
		method: string,
		path: string,
		body?: unknown,
		headers?: Record<string, string>,
		// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever was answered.
	): Promise<{ status: number; body: any }>;
	/** An integration that sends everything to the inbox. */
	connect(name?: string): Promise<{ id: string }>;
	/** The uuid of a partner of the seed. */
	partner(): Promise<string>;
	createLead(email?: string): Promise<{ uuid: string }>;
}

/** An emulator whose clock stands still, closed when the test ends. */
export async function openEmulator(
	options: EmulatorOptions = {},
): Promise<OpenEmulator> {
	const faults: unknown[] = [];
	const emulator = await startEmulator({
		startAt: START,
		onFault: (error) => faults.push(error),
		...options,
	});
	onTestFinished(async () => {
		await emulator.close();
		expect(faults).toEqual([]);
	});
	const client = createClient({
		baseUrl: emulator.url,
		apiKey: emulator.keys.full,
	});
	const partner = async () => {
		const [first] = (await client.listPartners()).data;
		return first?.uuid as string;
	};
	// A spread would read the getters once.
	return Object.assign(emulator, {
		client,
		partner,
		async control(method, path, body, headers) {
			const response = await fetch(`${emulator.url}/_emulator${path}`, {
				method,
				headers: {
					...(body !== undefined && { "content-type": "application/json" }),
					...headers,
				},
				...(body !== undefined && {
					body: typeof body === "string" ? body : JSON.stringify(body),
				}),
			});
			const text = await response.text();
			return { status: response.status, body: text && JSON.parse(text) };
		},
		connect: (name) =>
			client.createIntegration({
				body: { label: "CRM", webhook_url: emulator.inbox.url(name) },
			}),
		async createLead(email = "ada@lovelace.example") {
			return client.createLead({
				body: { email, partnership_uuid: await partner() },
			});
		},
	} satisfies Omit<OpenEmulator, keyof Emulator>);
}
