import { ApiError } from "@partnerwire/contract";
import {
	beginWatch,
	type Core,
	findOpenSessions,
	type Session,
	type WatchCursor,
	type Watched,
	watch,
} from "@partnerwire/core";
import { createStreamClient, type StreamClient, toBytes } from "./client.ts";

export interface StreamHubOptions {
	readonly onFault: (error: unknown) => void;
	/** How often the database is polled while there are listeners. */
	readonly everyMs?: number;
	readonly heartbeatMs?: number;
}

interface Listener {
	readonly session: Session;
	readonly client: StreamClient;
}

const MOST_OF_SESSION = 16;
/** The most streams of one company, so that others get some. */
const MOST_OF_COMPANY = 500;
const MOST = 1000;

const HEADERS = {
	"content-type": "text/event-stream",
	"cache-control": "no-store",
	// Otherwise nginx would buffer the events.
	"x-accel-buffering": "no",
};

const toMessage = (event: string, data: object) =>
	`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

/** The messages for the listeners of one company. */
const toMessages = (
	{ deliveries, integrations }: Watched,
	of: string,
): Uint8Array =>
	toBytes(
		[
			...deliveries.map(({ companyUuid, ...data }) => ({
				companyUuid,
				text: toMessage("delivery", data),
			})),
			...integrations.map(({ companyUuid, ...data }) => ({
				companyUuid,
				text: toMessage("integration", data),
			})),
		]
			.filter(({ companyUuid }) => companyUuid === of)
			.map(({ text }) => text)
			.join(""),
	);

/**
 * Streams changes of deliveries to browsers (docs/decisions.md#live-stream). One poller reads the database for all of them,
 * so that changes of other processes show too. It stops while nobody listens.
 */
export function createStreamHub(core: Core, options: StreamHubOptions) {
	const o = { everyMs: 500, heartbeatMs: 15_000, ...options };
	const listeners = new Set<Listener>();
	let cursor: Promise<WatchCursor> | undefined;
	let timer: NodeJS.Timeout | undefined;
	let looking: Promise<void> | undefined;
	let beatAt = 0;
	let isClosed = false;

	const endAll = () => {
		for (const { client } of listeners) client.end();
	};

	/** Ends the streams of ended sessions, before the next messages are sent. */
	async function endClosedSessions(): Promise<void> {
		const uuids = new Set([...listeners].map(({ session }) => session.uuid));
		const { store, clock } = core;
		const open = await findOpenSessions(store.read, [...uuids], clock());
		for (const { session, client } of listeners)
			if (!open.has(session.uuid) && uuids.has(session.uuid)) client.end();
	}

	async function look(): Promise<void> {
		if (!cursor) return;
		const companies = new Set(
			[...listeners].map(({ session }) => session.company.uuid),
		);
		const { store, clock } = core;
		const seen = await watch(store.read, await cursor, [...companies], clock());
		await endClosedSessions();
		if (listeners.size === 0) return;
		cursor = Promise.resolve(seen.cursor);
		for (const company of companies) {
			const bytes = toMessages(seen, company);
			for (const { session, client } of listeners) {
				if (session.company.uuid !== company) continue;
				if (seen.overflow) client.overflow();
				else if (bytes.length > 0) client.send(bytes);
			}
		}
		const now = performance.now();
		if (now - beatAt < o.heartbeatMs) return;
		beatAt = now;
		for (const { client } of listeners) client.beat();
	}

	function plan(): void {
		if (timer || isClosed || listeners.size === 0) return;
		timer = setTimeout(() => {
			looking = look()
				.catch(o.onFault)
				.finally(() => {
					timer = undefined;
					plan();
				});
		}, o.everyMs);
	}

	function leave(listener: Listener): void {
		listeners.delete(listener);
		if (listeners.size === 0) cursor = undefined;
	}

	function refuseMany(session: Session): void {
		const own = [...listeners].filter(
			(listener) => listener.session.uuid === session.uuid,
		);
		const ofCompany = [...listeners].filter(
			(listener) => listener.session.company.uuid === session.company.uuid,
		);
		if (
			own.length < MOST_OF_SESSION &&
			ofCompany.length < MOST_OF_COMPANY &&
			listeners.size < MOST
		)
			return;
		throw new ApiError(
			"rate_limit_exceeded",
			"too many streams are open: close a tab of the dashboard",
			{ retryAfterS: 5 },
		);
	}

	return {
		/** Opens a stream for a session. It shows everything from now on. */
		async open(session: Session): Promise<Response> {
			if (!session.caller.read)
				throw new ApiError("forbidden", "this API key has no read permission");
			refuseMany(session);
			const client = createStreamClient(() => leave(listener));
			const listener = { session, client };
			listeners.add(listener);
			try {
				cursor ??= beginWatch(core.store.read, core.clock());
				await cursor;
			} catch (error) {
				client.end();
				throw error;
			}
			plan();
			if (isClosed) client.end();
			return new Response(client.body, { headers: HEADERS });
		},
		/** Ends all streams and stops polling. */
		async close(): Promise<void> {
			isClosed = true;
			clearTimeout(timer);
			endAll();
			await looking;
		},
	};
}
