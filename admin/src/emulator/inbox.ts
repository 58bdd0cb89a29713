import type { WebhookClaims } from "@partnerwire/wire";

/** What arrived at the emulator's inbox, and what its receiver said of it. */
export interface InboxEntry {
	readonly id: number;
	/** The last part of the inbox URL that it was sent to. */
	readonly name: string;
	/** By the emulator's clock. */
	readonly received_at: string;
	/** Whether the token, and the body that it binds, are an integration's of this URL. */
	readonly verified: boolean;
	/** How the receiver toolkit took it: `handled`, `duplicate`, `rejected`. */
	readonly outcome: string;
	/** Why it was refused, and what is probably wrong. */
	readonly reason: string | null;
	readonly explanation: string | null;
	readonly event_id: string | null;
	/** The `jti` of its token, which is the delivery's uuid. */
	readonly delivery_uuid: string | null;
	readonly sequence: number | null;
	/** It came after a later one of the same record. */
	readonly stale: boolean;
	readonly claims: WebhookClaims | null;
	/** The body as JSON, or as text where it is none. */
	readonly body: unknown;
}

export interface InboxFilter {
	readonly name?: string | undefined;
	readonly event_id?: string | undefined;
	/** Only what was verified and is no copy of one before. */
	readonly distinct?: boolean | undefined;
}

/** The entries of the inbox, oldest first. */
export interface InboxEntries {
	/** With how many bytes came, by which the inbox is bounded. */
	add(entry: Omit<InboxEntry, "id">, bytes: number): void;
	list(filter?: InboxFilter): InboxEntry[];
	get(id: number): InboxEntry | undefined;
	clear(): void;
	/** Resolves when so many match, or when the time is over; says what is there then. */
	wait(
		count: number,
		timeoutMs: number,
		filter?: InboxFilter,
	): Promise<InboxEntry[]>;
}

/** More than this is an accident; the oldest go. */
const MAX_ENTRIES = 10_000;
const MAX_BYTES = 64 * 2 ** 20;

export function createInboxEntries(maxBytes = MAX_BYTES): InboxEntries {
	let entries: InboxEntry[] = [];
	let sizes: number[] = [];
	let total = 0;
	let lastId = 0;
	const waiting = new Set<() => void>();
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
					if (list(filter).length >= count) end();
				};
				const timer = setTimeout(end, timeoutMs);
				waiting.add(look);
				look();
			}),
	};
}

const matches = (
	entry: InboxEntry,
	{ name, event_id, distinct }: InboxFilter,
): boolean =>
	(name === undefined || entry.name === name) &&
	(event_id === undefined || entry.event_id === event_id) &&
	(distinct !== true || (entry.verified && entry.outcome !== "duplicate"));
