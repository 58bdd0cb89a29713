import { type Core, openIntegration } from "@partnerwire/core";
import {
	createReceiver,
	memoryStore,
	type Observation,
} from "@partnerwire/receiver";
import { parseUrl } from "@partnerwire/wire";
import type { InboxEntries } from "./inbox.ts";

export const HOOKS_PATH = "/_emulator/hooks/";

/** Receives deliveries as a user's receiver would. Verifies them with the secrets of the integrations with this URL. */
export function createInboxReceiver(core: Core, entries: InboxEntries) {
	const stores = new Map<string, ReturnType<typeof memoryStore>>();
	let latestMs = 0;
	/** The emulator's time, but never backwards: dedupe stores need that. */
	const forwards = () => {
		latestMs = Math.max(latestMs, core.clock());
		return latestMs;
	};

	/** Each pair of inbox name and integration has its own dedupe store, as separate receivers would. */
	function storeOf(name: string, integrationId: number) {
		const key = `${integrationId} ${name}`;
		const store = stores.get(key) ?? memoryStore({ clock: forwards });
		stores.set(key, store);
		return store;
	}

	/** The secrets of the integrations whose webhook URL is this inbox, planned ones included. */
	async function findSenders(name: string) {
		const { query, tables } = core.store.read;
		const rows = await query.select().from(tables.integration);
		const nowMs = core.clock();
		return rows
			.filter(
				(row) => row.deletedAt === null && nameOf(row.webhookUrl) === name,
			)
			.map((row) => ({
				dedup: storeOf(name, row.id),
				secrets: [nowMs, row.cutoverAt ?? nowMs].map(
					(atMs) => openIntegration(row, core.cipher, atMs).secret,
				),
			}));
	}

	return async function receive(
		name: string,
		request: Request,
	): Promise<Response> {
		const body = await request.arrayBuffer();
		const senders = await findSenders(name);
		let taken = await take(senders[0] ?? NOBODY, body, request);
		for (const sender of senders.slice(1)) {
			// A bad signature leaves nothing in this integration's store, so the next integration can be tried.
			if (taken.seen?.reason !== "SIGNATURE_INVALID") break;
			taken = await take(sender, body, request);
		}
		entries.add(
			{
				name,
				received_at: new Date(core.clock()).toISOString(),
				...toMembers(taken.seen),
				body: toBody(body),
			},
			body.byteLength,
		);
		return taken.answer;
	};

	async function take(
		{ secrets, dedup }: Sender,
		body: ArrayBuffer,
		{ method, url, headers }: Request,
	) {
		let seen: Observation | undefined;
		const receiver = createReceiver({
			secret: () => secrets,
			clock: core.clock,
			dedup,
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
		return { seen, answer };
	}
}

/** An integration that sends to an inbox. */
interface Sender {
	readonly secrets: string[];
	readonly dedup: ReturnType<typeof memoryStore> | false;
}
const NOBODY: Sender = { secrets: [], dedup: false };

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
function nameOf(url: string): string | undefined {
	const pathname = parseUrl(url)?.pathname;
	return pathname?.startsWith(HOOKS_PATH)
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
