import { ReceiverConfigError } from "./common/config-error.ts";
import type { Bytes, Incoming } from "./common/incoming.ts";
import type { Reason } from "./common/reasons.ts";
import type { SequenceTracker } from "./dedupe/sequence-tracker.ts";
import type { Receiver } from "./receiver.ts";

export {
	type SequenceGap,
	type SequenceTracker,
	type SequenceTrackerOptions,
	trackSequence,
} from "./dedupe/sequence-tracker.ts";

/** One delivery of `GET /v1/webhook-events/feed`. */
export interface FeedItem {
	sequence: number;
	uuid: string;
	event_id: string;
	omitted: string | null;
	body: string | null;
	token: string | null;
}

/** The answer of `GET /v1/webhook-events/feed`. */
export interface Feed {
	to_sequence: number;
	newest_sequence: number;
	data: readonly FeedItem[];
	purged: readonly { from_sequence: number; to_sequence: number }[];
}

export interface FeedQuery {
	integration_id: string;
	after_sequence: number;
	limit: number;
}

/**
 * The source of missed deliveries: a client of `@partnerwire/sdk`, or a function that calls the path with an API key. The key needs
 * the read and the write permission, because others get no tokens (docs/decisions.md#tokens-of-the-feed).
 */
export type FeedClient =
	| { getWebhookFeed(call: { query: FeedQuery }): Promise<Feed> }
	| ((path: string) => Promise<Response>);

export interface CatchUpOptions {
	/** The receiver that missed the deliveries. */
	receiver: Pick<Receiver, "handle">;
	client: FeedClient;
	/** The integration's `id`, which is not its secret. */
	integrationId: string;
	/** The last sequence that was handled, or 0 for everything. By default the tracker's position. */
	from?: number;
	/** The tracker that is the receiver's `onVerdict`. The catch-up also tells it which numbers were dropped or purged. */
	sequence?: SequenceTracker;
	/** The number of deliveries for each call, at most 100. */
	limit?: number;
	/** Stops before the next delivery. */
	signal?: AbortSignal;
}

/** A delivery that was not acknowledged. The catch-up ends before it. */
export interface CatchUpFailure {
	sequence: number;
	eventId: string;
	/** The `jti`. */
	uuid: string;
	status: number;
	reason: Reason | undefined;
}

export interface CatchUpResult {
	/** The sequence up to which everything is done: the `from` of the next call. */
	last: number;
	/** Did it reach the end? False after a failure or an abort. */
	complete: boolean;
	handled: number;
	/** Deliveries that were handled before and ran no handler. */
	duplicates: number;
	/** Deliveries that were dropped or never sent, and why. */
	omitted: { sequence: number; reason: string }[];
	/** Ranges of deliveries that the service has deleted. */
	purged: { from: number; to: number }[];
	failed: CatchUpFailure | null;
}

/**
 * Runs missed deliveries through a receiver in the order of their sequence, as if they arrived. A delivery that ran before is a
 * duplicate, and so is a retry that arrives later. Ends at the first delivery that is not acknowledged: call it again with
 * `from: result.last`. Throws if the feed cannot be read.
 *
 * @example
 * const { last, failed } = await catchUp({ receiver, client, integrationId, from: saved });
 */
export async function catchUp(options: CatchUpOptions): Promise<CatchUpResult> {
	const { receiver, sequence, signal, integrationId } = options;
	const limit = options.limit ?? 25;
	const from = options.from ?? sequence?.position();
	if (from === undefined || !Number.isSafeInteger(from) || from < 0)
		throw new ReceiverConfigError(
			"CONFIG_OPTION",
			"catchUp: from must be the last sequence that was handled, or 0.",
		);
	const result: CatchUpResult = {
		last: from,
		complete: false,
		handled: 0,
		duplicates: 0,
		omitted: [],
		purged: [],
		failed: null,
	};
	const pass = (to: number): void => {
		sequence?.settle(result.last + 1, to);
		result.last = to;
	};

	/** Handles one delivery. False means that the next one must wait. */
	async function receive(item: FeedItem, isFirst: boolean) {
		if (item.omitted !== null) {
			result.omitted.push({ sequence: item.sequence, reason: item.omitted });
			pass(item.sequence);
			return true;
		}
		const verdict = await receiver.handle(toIncoming(item));
		if (verdict.status === 200) {
			if (verdict.outcome === "duplicate") result.duplicates++;
			else result.handled++;
			pass(item.sequence);
			return true;
		}
		// Its token expired while earlier handlers ran. The next page has a fresh token.
		if (verdict.reason === "TOKEN_EXPIRED" && !isFirst) return false;
		result.failed = {
			sequence: item.sequence,
			eventId: item.event_id,
			uuid: item.uuid,
			status: verdict.status,
			reason: verdict.reason,
		};
		return false;
	}

	while (!result.failed && !signal?.aborted) {
		const page = await readPage(options.client, {
			integration_id: integrationId,
			after_sequence: result.last,
			limit,
		});
		const start = result.last;
		for (const entry of inOrder(page)) {
			if (signal?.aborted) return result;
			if ("sequence" in entry) {
				if (!(await receive(entry, result.last === start))) break;
			} else {
				const { from_sequence, to_sequence } = entry;
				result.purged.push({ from: from_sequence, to: to_sequence });
				pass(to_sequence);
			}
		}
		if (result.failed) break;
		if (result.last >= page.newest_sequence) {
			result.complete = true;
			break;
		}
		if (result.last === start)
			throw new Error(`catchUp: the feed does not go on after ${start}.`);
	}
	return result;
}

/** Items and purged ranges, in the order of their sequence. */
function inOrder(page: Feed) {
	const startOf = (entry: FeedItem | Feed["purged"][number]) =>
		"sequence" in entry ? entry.sequence : entry.from_sequence;
	return [...page.data, ...page.purged].sort((a, b) => startOf(a) - startOf(b));
}

const encoder = new TextEncoder();

/** Converts a delivery of the feed, as an adapter would. */
function toIncoming({ sequence, body, token }: FeedItem): Incoming {
	if (body === null || token === null)
		throw new ReceiverConfigError(
			"CONFIG_OPTION",
			`catchUp: delivery ${sequence} has no token: the API key needs the read and the write permission.`,
		);
	const headers: Record<string, string> = {
		authorization: `Bearer ${token}`,
		"content-type": "application/json",
	};
	return {
		method: "POST",
		header: (name) => headers[name.toLowerCase()],
		body: () => ({ kind: "bytes", bytes: encoder.encode(body) as Bytes }),
	};
}

async function readPage(client: FeedClient, query: FeedQuery): Promise<Feed> {
	if (typeof client !== "function") return client.getWebhookFeed({ query });
	const search = new URLSearchParams(
		Object.entries(query).map(([name, value]) => [name, String(value)]),
	);
	const response = await client(`/v1/webhook-events/feed?${search}`);
	if (!response.ok)
		throw new Error(`catchUp: the feed was answered ${response.status}.`);
	return (await response.json()) as Feed;
}
