import { type Core, openIntegration } from "@partnerwire/core";
import {
	createReceiver,
	memoryStore,
	type Observation,
} from "@partnerwire/receiver";
import type { InboxEntries } from "./inbox.ts";

export const HOOKS_PATH = "/_emulator/hooks/";

/** Takes a delivery as a user's receiver would, verified with the secrets of the integrations that lead here, and keeps it. */
export function createInboxReceiver(core: Core, entries: InboxEntries) {
	const stores = new Map<string, ReturnType<typeof memoryStore>>();

	/** Copies are told apart per name: two receivers do not share their memory. */
	function storeOf(name: string) {
		const store = stores.get(name) ?? memoryStore();
		stores.set(name, store);
		return store;
	}

	/** The secrets of the integrations whose webhook URL is this inbox, the next ones included. */
	async function findSecrets(name: string): Promise<string[]> {
		const { query, tables } = core.store.read;
		const rows = await query.select().from(tables.integration);
		const nowMs = core.clock();
		return rows
			.filter(
				(row) => row.deletedAt === null && nameOf(row.webhookUrl) === name,
			)
			.flatMap((row) =>
				[nowMs, row.cutoverAt ?? nowMs].map(
					(atMs) => openIntegration(row, core.cipher, atMs).secret,
				),
			);
	}

	return async function receive(
		name: string,
		request: Request,
	): Promise<Response> {
		const body = await request.arrayBuffer();
		const { method, url, headers } = request;
		let seen: Observation | undefined;
		const receiver = createReceiver({
			secret: () => findSecrets(name),
			clock: core.clock,
			dedup: storeOf(name),
			explain: process.env.NODE_ENV !== "production",
			log: () => {},
			onVerdict: (observation) => {
				seen = observation;
			},
		}).on("*", () => {});
		const hasBody = method !== "GET" && method !== "HEAD";
		const answer = await receiver.fetch(
			new Request(url, { method, headers, body: hasBody ? body : null }),
		);
		entries.add({
			name,
			received_at: new Date(core.clock()).toISOString(),
			...toMembers(seen),
			body: toBody(body),
		});
		return answer;
	};
}

function toMembers(seen: Observation | undefined) {
	return {
		verified: seen?.status === 200,
		outcome: seen?.outcome ?? "failed",
		reason: seen?.reason ?? null,
		explanation: seen?.explanation ?? null,
		event_id: seen?.eventId ?? null,
		delivery_uuid: seen?.jti ?? null,
		sequence: seen?.sequence ?? null,
		stale: seen?.stale ?? false,
		claims: seen?.claims ?? null,
	};
}

/** The name in the URL of an inbox; undefined for another URL. */
export function nameOf(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { pathname } = new URL(url);
	return pathname.startsWith(HOOKS_PATH)
		? pathname.slice(HOOKS_PATH.length)
		: undefined;
}

function toBody(bytes: ArrayBuffer): unknown {
	const text = new TextDecoder().decode(bytes);
	try {
		return JSON.parse(text);
	} catch {
		return text;
	}
}
