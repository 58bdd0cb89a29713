/** A standby that answers lists in the place of the primary, as long as it is known to be close enough behind it. */

import type { PostgresStatements, Replica, Store } from "../db.ts";
import { StorageError } from "../storage-error.ts";
import { isRace, postgresCodeOf } from "./faults.ts";

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

/** One server at one moment. Its position is a number of bytes of the write-ahead log. */
interface Place {
	readonly position: number | null;
	readonly isStandby: boolean;
	readonly system: string;
	readonly database: string;
	/** Null if `search_path` has none that exists. */
	readonly schema: string | null;
}

const toQuery = (position: string) =>
	`select (${position} - '0/0')::float8 as position, pg_is_in_recovery() as "isStandby", current_database()::text as database,
	current_schema()::text as schema, (select system_identifier::text from pg_control_system()) as system`;
/** What is committed is flushed, and only what is flushed is sent to a standby. */
const PRIMARY = toQuery("pg_current_wal_flush_lsn()");
const STANDBY = toQuery("pg_last_wal_replay_lsn()");

/**
 * Opens the standby and looks at it four times a second. Each look notes the primary's position and the time. Once the
 * standby has replayed a noted position, it has all that was committed before that time: how stale it is follows from
 * one clock, and says the truth too if replay is paused or nothing arrives. A standby that cannot be reached may come
 * back, so the start goes on; one of another database is refused by a `StorageError`.
 */
export async function openReplica(
	options: ReplicaOptions,
): Promise<OpenReplica> {
	const { primary, replica, maxLagMs, onChange } = options;
	const now = options.now ?? (() => performance.now());
	const openedAt = now();
	/** Positions of the primary that the standby has not replayed yet, oldest first. */
	let noted: { readonly at: number; readonly position: number }[] = [];
	/** The standby has all that was committed before this time. */
	let currentAt = Number.NEGATIVE_INFINITY;
	let reading: Reading | undefined;
	let looking: Promise<void> | undefined;
	/** The last state that was reported. */
	let served: boolean | undefined;

	const stalenessMs = () => now() - currentAt;
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

	function giveUp(error: unknown): void {
		currentAt = Number.NEGATIVE_INFINITY;
		report(toWhy(error));
	}

	async function look(): Promise<void> {
		const at = now();
		const here = await readPlace(primary, PRIMARY);
		reading ??= await options.connect();
		const there = await readPlace(reading, STANDBY);
		refuseOther(here, there, replica);
		if (!there.isStandby)
			throw new StorageError("database_io", "is not a standby");
		noted.push({ at, position: here.position as number });
		const replayed = there.position ?? 0;
		for (const { at, position } of noted)
			if (position <= replayed) currentAt = at;
		noted = noted.filter(
			({ at: then, position }) => position > replayed && at - then <= maxLagMs,
		);
		if (serves()) report(null);
		// A standby that was just opened has the time to replay what was noted.
		else if (at - Math.max(openedAt, currentAt) > maxLagMs)
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
			const since = currentAt;
			if (!reading || !serves()) return primary.readSnapshot(work);
			try {
				const result = await reading.readSnapshot(work);
				onReplica?.(now() - since);
				return result;
			} catch (error) {
				if (isAway(error)) giveUp(error);
				// The standby may end a read that holds up replay (40001). The primary does not.
				else if (!isRace(postgresCodeOf(error))) throw error;
				return primary.readSnapshot(work);
			}
		},
		async close() {
			clearInterval(timer);
			await looking;
			await reading?.close();
		},
	};
}

async function readPlace(
	{ read }: Pick<Store, "read">,
	text: string,
): Promise<Place> {
	const run = read.postgres as PostgresStatements;
	const [place] = await run<Place>("read_place", text, []).catch((error) => {
		// insufficient_privilege
		if (postgresCodeOf(error) !== "42501") throw error;
		throw new StorageError(
			"database_unreadable",
			"The database's user may not compare the server of read_url with the database's own: GRANT EXECUTE ON FUNCTION pg_control_system() TO that user, or leave read_url out.",
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

/** Whether the standby, and not the read itself, is the reason of a failure. */
const isAway = (error: unknown): boolean =>
	error instanceof StorageError &&
	// too_many_connections
	(error.code === "database_io" || postgresCodeOf(error.cause) === "53300");

/** No address and no password of the driver's messages. */
function toWhy(error: unknown): string {
	const code = postgresCodeOf(
		error instanceof StorageError ? error.cause : error,
	);
	if (code) return `cannot be used (${code})`;
	return error instanceof Error ? error.message : "cannot be used";
}
