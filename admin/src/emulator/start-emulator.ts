import { readFile, rm } from "node:fs/promises";
import { Seed, type SeedInput } from "@partnerwire/core";
import { createTempFolder } from "../assets/create-temp-folder.ts";
import { readSeed } from "../assets/read-seed.ts";
import { type Listening, listen } from "../service/listen.ts";
import type { Settling } from "./advance.ts";
import { type ClockState, checkTime } from "./clock.ts";
import { createEmulator } from "./create-emulator.ts";
import { parseDuration } from "./duration.ts";
import type { DeliverOptions } from "./emulated-service.ts";
import { EmulatorError } from "./emulator-error.ts";
import { type Fault, FaultRule, type FaultRuleInput } from "./fault-rules.ts";
import type { InboxEntry, InboxFilter } from "./inbox.ts";
import { HOOKS_PATH } from "./inbox-receiver.ts";
import { isLoopbackHost } from "./is-loopback-host.ts";
import { parseWith } from "./parse-with.ts";
import { createEmulatorApp } from "./routes.ts";

export interface EmulatorOptions {
	/** 0, the default, takes a free port. */
	readonly port?: number;
	/** A loopback address: 127.0.0.1, ::1 or localhost. */
	readonly host?: string;
	/** The records at the start and after a reset: a seed, or the path of its JSON file. */
	readonly seed?: SeedInput | string;
	/** Starts the clock frozen at this time. Without it, the clock runs with the system's. */
	readonly startAt?: Date | string | number;
	/** Requests per key and minute; 0 is no limit. By default 500, or 0 with `startAt`: a frozen minute never ends. */
	readonly rateLimit?: number;
	/** Seconds before each attempt of a delivery. */
	readonly retrySchedule?: readonly number[];
	/** How deliveries are made, as with the flags of `serve`. */
	readonly deliver?: DeliverOptions;
	/** Called for faults of the service itself; by default `console.error`. */
	readonly onFault?: (error: unknown) => void;
}

/** The API keys of the seed, by their permissions. */
export interface EmulatorKeys {
	readonly read: string;
	readonly write: string;
	readonly full: string;
}

/** The whole service in this process, with a clock, faults and an inbox that a test controls. */
export interface Emulator {
	readonly url: string;
	readonly keys: EmulatorKeys;
	readonly companyUuid: string;
	readonly userUuid: string;
	/** The requests that integrations sent to `inbox.url()`. */
	readonly inbox: {
		/** A webhook URL whose deliveries are verified and kept here. Integrations may share one. */
		url(name?: string): string;
		list(filter?: InboxFilter): InboxEntry[];
		get(id: number): InboxEntry | undefined;
		clear(): void;
		/**
		 * Resolves when `count` entries match. Rejects after `timeoutMs` of real time (5000), and when the emulator is closed, and says
		 * what is there.
		 */
		waitFor(
			count: number,
			options?: InboxFilter & { readonly timeoutMs?: number },
		): Promise<InboxEntry[]>;
	};
	readonly clock: {
		/** Milliseconds since the epoch. */
		now(): number;
		state(): ClockState;
		freeze(at?: Date | string | number): Promise<ClockState>;
		set(at: Date | string | number): Promise<ClockState>;
		/** Milliseconds, or an ISO 8601 duration such as `PT5M`. Every retry that becomes due on the way is made at its time. */
		advance(by: number | string): Promise<ClockState>;
		resume(): Promise<ClockState>;
	};
	readonly faults: {
		add(rule: FaultRuleInput): Fault;
		list(): readonly Fault[];
		/** False if there is no fault with this id. */
		remove(id: number): boolean;
		clear(): void;
	};
	/** Back to the seed, or to another one: with the same ids and keys, an empty inbox, no faults and the first time. */
	reset(seed?: SeedInput): Promise<void>;
	close(): Promise<void>;
	[Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts the emulator: the real service with its own database, on a loopback address only (docs/emulator.md).
 *
 * @example
 * await using emulator = await startEmulator();
 * const client = createClient({ baseUrl: emulator.url, apiKey: emulator.keys.full });
 */
export async function startEmulator(
	options: EmulatorOptions = {},
): Promise<Emulator> {
	const o = {
		port: 0,
		host: "127.0.0.1",
		rateLimit: options.startAt === undefined ? 500 : 0,
		onFault: (error: unknown) => console.error(error),
		...options,
	};
	if (!isLoopbackHost(o.host))
		throw new EmulatorError(
			`the emulator asks for no key, so it serves this machine alone: ${o.host} is not 127.0.0.1, ::1 or localhost`,
		);
	const seed = await toSeed(options.seed);
	const { startAt } = options;
	const startAtMs =
		startAt === undefined ? undefined : checkTime(toTime(startAt));
	const folder = createTempFolder("partnerwire-emulator-");
	const removeFolder = () => rm(folder, { recursive: true, force: true });
	const opened = await createEmulator({ ...o, seed, startAtMs, folder }).catch(
		async (error) => {
			await removeFolder();
			throw error;
		},
	);
	const app = createEmulatorApp(opened, { ...o, readSeed: () => seed });
	let server: Listening;
	try {
		server = await listen(app, o);
	} catch (error) {
		await opened.close();
		await removeFolder();
		throw error;
	}
	const { clock, entries, faults } = opened;

	const change = async (make: () => void): Promise<ClockState> => {
		refuseLate(await opened.changeClock(make));
		return clock.state();
	};
	let isClosed = false;
	const waits = new Set<Promise<InboxEntry[]>>();
	const waitFor = async (
		count: number,
		timeoutMs: number,
		filter: InboxFilter,
	): Promise<InboxEntry[]> => {
		const found = await entries.wait(count, timeoutMs, filter);
		if (found.length >= count) return found;
		const until = isClosed
			? "before the emulator was closed"
			: `within ${timeoutMs} ms`;
		throw new EmulatorError(
			`${found.length} of ${count} deliveries came ${until}; in the inbox: ${describe(entries.list())}`,
		);
	};
	const close = async () => {
		isClosed = true;
		// Nobody needs to await them any more: an unhandled rejection would end the process.
		for (const waiting of waits) waiting.catch(() => {});
		await server.close();
		await opened.close();
		await removeFolder();
	};

	return {
		url: server.url,
		get keys() {
			return opened.seeded().keys;
		},
		get companyUuid() {
			return opened.seeded().company_uuid;
		},
		get userUuid() {
			return opened.seeded().user_uuid;
		},
		inbox: {
			url: (name = "inbox") => `${server.url}${HOOKS_PATH}${name}`,
			list: entries.list,
			get: entries.get,
			clear: entries.clear,
			waitFor(count, { timeoutMs = 5000, ...filter } = {}) {
				const waiting = waitFor(count, timeoutMs, filter).finally(() =>
					waits.delete(waiting),
				);
				waits.add(waiting);
				return waiting;
			},
		},
		clock: {
			now: clock,
			state: clock.state,
			async freeze(at) {
				const atMs = at === undefined ? undefined : toTime(at);
				return change(() => clock.freeze(atMs));
			},
			async set(at) {
				const atMs = toTime(at);
				return change(() => clock.set(atMs));
			},
			async advance(by) {
				const ms = parseDuration(by);
				if (ms === undefined)
					throw new EmulatorError(
						`advance takes milliseconds or an ISO 8601 duration such as PT5M, not ${by}`,
					);
				refuseLate(await opened.advance(ms));
				return clock.state();
			},
			async resume() {
				await opened.resume();
				return clock.state();
			},
		},
		faults: {
			add: (rule) => faults.add(parseWith(FaultRule, rule, "fault")),
			list: faults.list,
			remove: faults.remove,
			clear: faults.clear,
		},
		async reset(next) {
			await opened.reset(next && parseWith(Seed, next, "seed"));
		},
		close,
		[Symbol.asyncDispose]: close,
	};
}

async function toSeed(source: SeedInput | string | undefined): Promise<Seed> {
	if (source === undefined) return readSeed();
	if (typeof source !== "string") return parseWith(Seed, source, "seed");
	return readSeedFile(source);
}

/** Reads a seed from a JSON file. Throws an error that names every wrong member. */
async function readSeedFile(path: string): Promise<Seed> {
	const text = await readFile(path, "utf8").catch(() => {
		throw new EmulatorError(`the seed ${path} cannot be read`);
	});
	let json: unknown;
	try {
		// Editors on Windows begin a file with a byte order mark.
		json = JSON.parse(text.replace(/^\uFEFF/, ""));
	} catch {
		throw new EmulatorError(`the seed ${path} is not valid JSON`);
	}
	return parseWith(Seed, json, "seed");
}

function toTime(at: Date | string | number): number {
	const ms = new Date(at).getTime();
	if (Number.isNaN(ms)) throw new EmulatorError(`${at} is not a time`);
	return ms;
}

function refuseLate(settling: Settling): void {
	if (settling === "late")
		throw new EmulatorError(
			"the deliveries that are due were not all attempted in time: does a receiver hang?",
		);
}

const describe = (entries: readonly InboxEntry[]): string =>
	entries
		.map(
			({ event_id, outcome, reason }) =>
				`${event_id ?? "a request"} ${reason ?? outcome}`,
		)
		.join(", ") || "nothing";
