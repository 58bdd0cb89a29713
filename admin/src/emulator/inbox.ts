import type { WebhookClaims } from "@partnerwire/wire";

/** A request at the emulator's inbox, with the receiver's verdict. */
export interface InboxEntry {
	readonly id: number;
	/** The last segment of the inbox URL that it was sent to. */
	readonly name: string;
	/** The time by the emulator's clock. */
	readonly received_at: string;
	/** Whether token and body were signed for an integration with this URL. */
	readonly verified: boolean;
	/** The outcome of the receiver toolkit: `handled`, `duplicate`, `rejected`. */
	readonly outcome: string;
	/** Why it was refused, and the probable cause. */
	readonly reason: string | null;
	readonly explanation: string | null;
	readonly event_id: string | null;
	/** The `jti` of its token, which is the delivery's uuid. */
	readonly delivery_uuid: string | null;
	readonly sequence: number | null;
	/** Whether it came after a later event of the same record. */
	readonly stale: boolean;
	readonly claims: WebhookClaims | null;
	/** The body as JSON, or as text if it is not JSON. */
	readonly body: unknown;
}

export interface InboxFilter {
	readonly name?: string | undefined;
	readonly event_id?: string | undefined;
	/** Only verified entries that are not copies of earlier ones. */
	readonly distinct?: boolean | undefined;
}

/** The entries of the inbox, oldest first. */
export interface InboxEntries {
	/** `bytes`: the size of the request. The inbox is bounded by bytes too. */
	add(entry: Omit<InboxEntry, "id">, bytes: number): void;
	list(filter?: InboxFilter): InboxEntry[];
	get(id: number): InboxEntry | undefined;
	clear(): void;
	/** Resolves to the matching entries when `count` of them are there, when the time is over, or at the end. */
	wait(
		count: number,
		timeoutMs: number,
		filter?: InboxFilter,
	): Promise<InboxEntry[]>;
	/** Ends all waiting: no more requests will come. */
	close(): void;
}

/** With more than this, the oldest entries are removed. */
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 64 * 2 ** 20;

export function createInboxEntries(maxBytes = MAX_BYTES): InboxEntries {
	let entries: InboxEntry[] = [];
	let sizes: number[] = [];
	let total = 0;
	let lastId = 0;
	/** Called after each request, and at the end. */
	const waiting = new Set<() => void>();
	let isClosed = false;
	const list = (filter: InboxFilter = {}) =>
		entries.filter((entry) => matches(entry, filter));
	return {
		add(entry, bytes) {
			entries.push({ id: ++lastId, ...entry });
			sizes.push(bytes);
			total += bytes;
			while (entries.length > MAX_ENTRIES || total > maxBytes) {
				entries.shift();
				total -= sizes.shift() ?? 0;
			}
			for (const look of waiting) look();
		},
		list,
		get: (id) => entries.find((entry) => entry.id === id),
		clear() {
			entries = [];
			sizes = [];
			total = 0;
			lastId = 0;
		},
		wait: (count, timeoutMs, filter) =>
			new Promise((resolve) => {
				const end = () => {
					clearTimeout(timer);
					waiting.delete(look);
					resolve(list(filter));
				};
				const look = () => {
					if (isClosed || list(filter).length >= count) end();
				};
				const timer = setTimeout(end, timeoutMs);
				waiting.add(look);
				look();
			}),
		close() {
			isClosed = true;
			for (const look of waiting) look();
		},
	};
}

const matches = (
	entry: InboxEntry,
	{ name, event_id, distinct }: InboxFilter,
): boolean =>
	(name === undefined || entry.name === name) &&
	(event_id === undefined || entry.event_id === event_id) &&
	(distinct !== true || (entry.verified && entry.outcome !== "duplicate"));
