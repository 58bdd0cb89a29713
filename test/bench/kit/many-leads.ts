import { newUuid } from "@partnerwire/core";
import Database from "better-sqlite3";

/** The number of leads that every filter finds, however many others there are. */
export const MATCHES = 1000;
/** A word that is only in the names of those leads. */
export const WORD = "zephyr";

export interface Marks {
	readonly partnership_uuid: string;
	readonly stage_uuid: string;
	readonly tag_uuid: string;
	readonly user_uuid: string;
}

/**
 * Writes leads straight into the file. `MATCHES` of them, spread evenly, have the marks that the filters look for; as many others are
 * archived. Nobody else may write at the same time.
 */
export function addLeads(
	path: string,
	leads: number,
	otherPartnership: string,
	marks: Marks,
): void {
	const db = new Database(path, { timeout: 60_000 });
	// The triggers of the search index call it to fold case.
	db.function("fold", { deterministic: true }, (text) =>
		String(text ?? "").toLowerCase(),
	);
	const step = leads / MATCHES;
	try {
		db.pragma("synchronous = off");
		db.pragma("cache_size = -200000");
		db.transaction(() => {
			db.exec(`create temp table marked as
				with recursive n(i) as (select 0 union all select i + 1 from n where i < ${leads - 1})
				select i, ${uuidOf("i")} as uuid, i % ${step} = 0 as marked, i % ${step} = 1 as archived from n`);
			db.prepare(
				`insert into lead (uuid, company_uuid, partnership_uuid, company_name, email, first_name, last_name, status,
					direction, stage_id, created_at, updated_at, archived_at)
				select m.uuid, p.company_uuid, iif(marked, p.uuid, other.uuid), iif(marked, 'Zephyr ', 'Globex ') || i,
					'lead' || i || '@x.example', 'Ada', 'Berg', iif(marked, 'qualified', 'new'), iif(marked, 'received', 'sent'),
					iif(marked, stage.id, null), 1700000000000 + i * 1000, 1700000000000 + i * 1000,
					iif(archived, 1700000000000, null)
				from marked m, partner p, partner other, stage
				where p.uuid = ? and other.uuid = ? and stage.uuid = ? order by i`,
			).run(marks.partnership_uuid, otherPartnership, marks.stage_uuid);
			const link = (column: string, value: string) =>
				db.exec(
					`insert into record_link (record_uuid, ${column}, created_at) select uuid, ${value}, 0 from marked where marked`,
				);
			link("tag_id", `(select id from tag where uuid = '${marks.tag_uuid}')`);
			link("user_uuid", `'${marks.user_uuid}'`);
		})();
		db.pragma("wal_checkpoint(truncate)");
	} finally {
		db.close();
	}
}

/** Uuids that ascend with `number`, as those of the service do. */
const uuidOf = (number: string) =>
	`'${newUuid(1_700_000_000_000).slice(0, 24)}' || printf('%012x', ${number})`;
