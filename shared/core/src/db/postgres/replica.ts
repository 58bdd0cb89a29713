/** A standby that answers lists in the place of the primary, as long as it is known to be close enough behind it. */

import { setTimeout as sleep } from "node:timers/promises";
import type { Db, PostgresStatements, Replica, Store } from "../db.ts";
import { StorageError } from "../storage-error.ts";
import { postgresCodeOf } from "./faults.ts";

/** Whether the standby answers lists from now on, and why not. `replica` is its URL as it may be shown. */
export type ReplicaChange =
	| { readonly serves: true; readonly replica: string }
	| { readonly serves: false; readonly replica: string; readonly why: string };

export interface ReplicaHooks {
	/** Called when the standby begins or ceases to answer lists. */
	readonly onChange: (change: ReplicaChange) => void;
	/** A clock that only goes forward, in milliseconds. */
	readonly now?: () => number;
}

/** Reads of one server. */
export type Reading = Pick<Store, "read" | "readSnapshot"> & {
	close(): Promise<void>;
};

export interface ReplicaOptions extends ReplicaHooks {
	/** The standby's URL as it may be shown. */
	readonly replica: string;
	readonly primary: Pick<Store, "read" | "readSnapshot">;
	readonly maxLagMs: number;
	/** Connects to the standby. Throws a `StorageError`: `database_io` if it may work later. */
	connect(): Promise<Reading>;
}

export interface OpenReplica extends Replica, Pick<Store, "readSnapshot"> {
	close(): Promise<void>;
}

const LOOK_MS = 250;
/** A standby that does not answer a look for so long hangs. */
const ANSWER_MS = 3_000;

/** One server at one moment. Its position is a number of bytes of the write-ahead log. */
interface Place {
	readonly position: number;
	/** Positions of different timelines cannot be compared: a promotion begins a new one. */
	readonly timeline: number;
	readonly isStandby: boolean;
	readonly system: string;
	readonly database: string;
	/** Null if `search_path` has none that exists. */
	readonly schema: string | null;
}

/** Where the primary was at a time of `now`. */
interface Noted {
	readonly at: number;
	readonly here: Place;
}

const toQuery = (position: string, timeline: string) =>
	`select (${position} - '0/0')::float8 as position, ${timeline} as timeline, pg_is_in_recovery() as "isStandby",
	current_database()::text as database, current_schema()::text as schema, (select system_identifier::text from pg_control_system()) as system`;
/** What is committed is flushed, and only what is flushed is sent to a standby. Names of log files begin with the timeline. */
const PRIMARY = toQuery(
	"pg_current_wal_flush_lsn()",
	"('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int",
);
/**
 * A standby does not say which timeline it replays. It has replayed those of its control file, which follow within a
 * checkpoint, and receives only one that continues what it has replayed. The last is null without `pg_read_all_stats`.
 */
const STANDBY = toQuery(
	"coalesce(pg_last_wal_replay_lsn(), '0/0')",
	`greatest((select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery()),
		(select received_tli from pg_stat_wal_receiver))`,
);

/** Whether this is a standby of the primary that has all that it had. */
const hasReplayed = (there: Place, here: Place): boolean =>
	there.isStandby &&
	IDENTITY.every((what) => there[what] === here[what]) &&
	there.position >= here.position;
const IDENTITY = ["system", "timeline", "database", "schema"] as const;

const NO_ANSWER = new StorageError("database_io", "does not answer");

/** Throws `NO_ANSWER` if the standby takes too long. */
async function inTime<Result>(work: Promise<Result>): Promise<Result> {
	const done = new AbortController();
	const late = sleep(ANSWER_MS, undefined, { signal: done.signal }).then(() => {
		throw NO_ANSWER;
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		done.abort();
	}
}

/**
 * Opens the standby and looks at it four times a second. Each look notes the primary's position and the time. Once the
 * standby has replayed a noted position, it has all that was committed before that time: how stale it is follows from
 * one clock, and says the truth too if replay is paused or nothing arrives. A standby that cannot be reached may come
 * back, so the start goes on; one of another database is refused by a `StorageError`.
 *
 * Each read asks again what its server has replayed, because the address may lead to one that has less: to another
 * standby, or to the same one that was restarted and replays its log again.
 */
export async function openReplica(
	options: ReplicaOptions,
): Promise<OpenReplica> {
	const { primary, replica, maxLagMs, onChange } = options;
	const now = options.now ?? (() => performance.now());
	const openedAt = now();
	/** Positions of the primary that the standby has not replayed yet, oldest first. */
	let noted: Noted[] = [];
	/** The newest one that it has replayed: it has all that was committed before that time. */
	let current: Noted | undefined;
	let reading: Reading | undefined;
	let looking: Promise<void> | undefined;
	/** The last state that was reported. */
	let served: boolean | undefined;

	const currentAt = () => current?.at ?? Number.NEGATIVE_INFINITY;
	const stalenessMs = () => now() - currentAt();
	const serves = () => reading !== undefined && stalenessMs() <= maxLagMs;

	function report(why: string | null): void {
		if (served === (why === null)) return;
		served = why === null;
		onChange(
			why === null
				? { serves: true, replica }
				: { serves: false, replica, why },
		);
	}

	/** Ends the waiting of reads that a hanging standby does not answer. */
	const waiting = new Set<(error: unknown) => void>();

	function giveUp(error: unknown): void {
		current = undefined;
		report(toWhy(error));
		if (error !== NO_ANSWER) return;
		for (const abandon of waiting) abandon(error);
		void reading?.close().catch(() => {});
		reading = undefined;
	}

	async function untilAbandoned<Result>(
		work: Promise<Result>,
	): Promise<Result> {
		let abandon = (_: unknown) => {};
		const abandoned = new Promise<never>((_, reject) => {
			abandon = reject;
		});
		waiting.add(abandon);
		try {
			return await Promise.race([work, abandoned]);
		} finally {
			waiting.delete(abandon);
		}
	}

	async function connect(): Promise<Reading> {
		const connecting = options.connect();
		return inTime(connecting).catch((error) => {
			// One that comes after all is not used.
			connecting.then((late) => late.close()).catch(() => {});
			throw error;
		});
	}

	async function look(): Promise<void> {
		const at = now();
		const here = await readPlace(primary.read, PRIMARY);
		reading ??= await connect();
		const there = await inTime(readPlace(reading.read, STANDBY));
		refuseOther(here, there, replica);
		if (!there.isStandby)
			throw new StorageError("database_io", "is not a standby");
		if (here.timeline !== there.timeline)
			throw new StorageError(
				"database_io",
				`replays timeline ${there.timeline} and not ${here.timeline}, the database's: after a failover it must follow the new primary`,
			);
		noted.push({ at, here });
		current = noted.findLast((one) => hasReplayed(there, one.here)) ?? current;
		noted = noted.filter(
			(one) => !hasReplayed(there, one.here) && at - one.at <= maxLagMs,
		);
		if (serves()) report(null);
		// A standby that was just opened has the time to replay what was noted.
		else if (at - Math.max(openedAt, currentAt()) > maxLagMs)
			report(`is more than ${maxLagMs / 1000} s behind`);
	}

	try {
		await look();
	} catch (error) {
		if (isFinal(error)) {
			await reading?.close();
			throw error;
		}
		giveUp(error);
	}
	const timer = setInterval(() => {
		looking ??= look()
			.catch(giveUp)
			.finally(() => {
				looking = undefined;
			});
	}, LOOK_MS);

	return {
		serves,
		stalenessMs,
		async readSnapshot(work, onReplica) {
			const since = current;
			if (!reading || !since || !serves()) return primary.readSnapshot(work);
			try {
				const read = await untilAbandoned(
					reading.readSnapshot(async (db) =>
						hasReplayed(await readPlace(db, STANDBY), since.here)
							? { result: await work(db) }
							: null,
					),
				);
				if (read) {
					onReplica?.(now() - since.at);
					return read.result;
				}
			} catch (error) {
				if (isAway(error)) giveUp(error);
				// It would take as long there.
				else if (codeOf(error) === STATEMENT_TIMEOUT) throw error;
			}
			// A read that holds up replay is ended by the standby, and a refusal may follow from what the standby lacks.
			return primary.readSnapshot(work);
		},
		async close() {
			clearInterval(timer);
			await looking;
			if (reading) await inTime(reading.close()).catch(() => {});
		},
	};
}

async function readPlace({ postgres }: Db, text: string): Promise<Place> {
	const run = postgres as PostgresStatements;
	const [place] = await run<Place>("read_place", text, []).catch((error) => {
		// insufficient_privilege
		if (postgresCodeOf(error) !== "42501") throw error;
		throw new StorageError(
			"database_unreadable",
			"The database's user may not compare the server of read_url with the database's own: GRANT EXECUTE ON FUNCTION pg_control_system(), pg_control_checkpoint(), pg_control_recovery() TO that user, or leave read_url out.",
			error,
		);
	});
	return place as Place;
}

function refuseOther(here: Place, there: Place, replica: string): void {
	const refuse = (why: string) => {
		throw new StorageError(
			"database_unreadable",
			`The server of read_url, ${replica}, ${why}.`,
		);
	};
	if (here.system !== there.system)
		refuse("is no standby of the database's server: give the URL of one");
	for (const what of ["database", "schema"] as const)
		if (here[what] !== there[what])
			refuse(
				`leads to ${there[what] ? `the ${what} ${there[what]}` : `no ${what}`} and not to ${here[what]}: give the same one in both URLs`,
			);
}

const isFinal = (error: unknown): boolean =>
	!(error instanceof StorageError) || error.code === "database_unreadable";

const codeOf = (error: unknown): string | undefined =>
	postgresCodeOf(error instanceof StorageError ? error.cause : error);

const STATEMENT_TIMEOUT = "57014";

/** Whether the standby, and not the read itself, is the reason of a failure. */
const isAway = (error: unknown): boolean =>
	error instanceof StorageError &&
	// too_many_connections, or no answer at all
	(error.code === "database_io" ||
		/^(53300|timeout)$/.test(codeOf(error) ?? ""));

/** No address and no password of the driver's messages. */
function toWhy(error: unknown): string {
	const code = codeOf(error);
	if (code) return `cannot be used (${code})`;
	return error instanceof Error ? error.message : "cannot be used";
}
