import Database from "better-sqlite3";
import { ENTITY } from "./delivery-load.ts";

export interface PendingRows {
	readonly rows: number;
	/** The number of lanes that the rows share. Only their heads are ready. By default each row has a lane of its own. */
	readonly lanes?: number;
	/** When the ready ones are due, in milliseconds since the epoch. */
	readonly dueAt: number;
}

const uuidOf = (group: string, number: string) =>
	`printf('01934f2a-${group}-7000-8000-%012x', ${number})`;

/** Writes pending deliveries of the one integration straight into the file: a million in seconds. Nobody else may write then. */
export function addPendingRows(path: string, options: PendingRows): void {
	const { rows, lanes = rows, dueAt } = options;
	const db = new Database(path, { timeout: 60_000 });
	try {
		const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})`;
		const lane = uuidOf("0001", `i % ${lanes}`);
		db.pragma("synchronous = off");
		db.transaction(() => {
			db.prepare(
				`insert into event (uuid, company_uuid, event_id, user_uuid, record_uuid, entity, created_at)
				${numbers} select ${uuidOf("0002", "i")}, company_uuid, 'lead_updated', company_uuid, ${lane}, ?, ?
				from n, integration`,
			).run(JSON.stringify(ENTITY), dueAt);
			db.prepare(
				`insert into delivery (uuid, integration_id, event_row_id, configuration_id, lane, sequence, state, ready,
					due_at, attempts, lease, created_at)
				${numbers} select ${uuidOf("0003", "i")}, integration.id, i, configuration_id, ${lane}, i, 'pending',
					i <= ${lanes}, ?, 0, 0, ? from n, integration`,
			).run(dueAt, dueAt);
			db.prepare("update integration set sequence = ?").run(rows);
		})();
		db.pragma("wal_checkpoint(truncate)");
	} finally {
		db.close();
	}
}
