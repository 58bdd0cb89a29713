import type Sqlite from "better-sqlite3";
import type { Random } from "../../values/random.ts";
import type { Db, Store } from "../db.ts";
import { createSqliteDb } from "./connection.ts";

interface Reader {
	readonly db: Db;
	begin(): void;
	end(): void;
}

function createReader(
	raw: Sqlite.Database,
	random: Random | undefined,
): Reader {
	const begin = raw.prepare("BEGIN");
	const commit = raw.prepare("COMMIT");
	return {
		db: createSqliteDb(raw, { random }),
		begin: () => void begin.run(),
		end: () => {
			if (raw.inTransaction) commit.run();
		},
	};
}

/**
 * Reads in transactions of their own, because the writer of this process commits between two statements of a read. Each
 * transaction needs its own connection. A read waits only for its statements, so there are seldom two at a time.
 *
 * @param durable the promise after which everything committed so far is on the disk, if it is not yet
 */
export function createSnapshots(
	open: () => Sqlite.Database,
	options: {
		random?: Random | undefined;
		durable: () => Promise<void> | undefined;
	},
): Store["readSnapshot"] {
	const free: Reader[] = [];
	return async (work) => {
		const reader = free.pop() ?? createReader(open(), options.random);
		reader.begin();
		try {
			return await work(reader.db);
		} finally {
			reader.end();
			free.push(reader);
			await options.durable();
		}
	};
}
