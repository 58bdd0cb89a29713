import { randomUUID } from "node:crypto";
import { join } from "node:path";
import Database from "better-sqlite3";
import {
	type Fields,
	type Lead,
	type LeadRow,
	type Partnership,
	toChanges,
	toLead,
	toPayload,
} from "./api-baseline-lead.ts";

/** The tables that a hand-written program would make for these rows, with the indexes that its own queries need. */
const SCHEMA = `
	create table api_key(hash text primary key, company_id integer, user_id integer, write integer) without rowid;
	create table partner(id integer primary key, uuid text unique, company_id integer, name text, partner_type text);
	create table lead(id integer primary key, uuid text unique, company_id integer, partner_id integer, company_name text,
		email text, first_name text, last_name text, status text, created_at integer, updated_at integer);
	create index lead_list on lead(company_id, created_at);
	create table audit(id integer primary key, uuid text, company_id integer, entity text, entity_uuid text, action text,
		actor text, changes text, created_at integer);
	create index audit_entity on audit(company_id, entity_uuid);
	create table integration(id integer primary key, company_id integer, sequence integer);
	create table event(id integer primary key, uuid text, company_id integer, event_id text, entity text,
		created_at integer);
	create table delivery(id integer primary key, uuid text unique, integration_id integer, event_id integer, lane text,
		sequence integer, state integer, ready integer, due_at integer, attempts integer);
	create index delivery_due on delivery(integration_id, due_at) where ready=1 and state=0;
	insert into integration values(1, 1, 0);`;

export interface Caller {
	companyId: number;
	write: number;
}
/** The baseline's database: prepared statements, WAL with `synchronous=FULL`. */
export function openBaselineDatabase(
	folder: string,
	keyHash: string,
	given: Partnership,
) {
	const db = new Database(join(folder, "baseline.db"));
	db.pragma("journal_mode = WAL");
	db.pragma("synchronous = FULL");
	db.exec(SCHEMA);
	db.prepare("insert into api_key values(?, 1, 1, 1)").run(keyHash);
	db.prepare(
		"insert into partner(uuid, company_id, name, partner_type) values(?, 1, ?, ?)",
	).run(given.uuid, given.name, given.partner_type);

	const key = db.prepare(
		"select company_id companyId, write from api_key where hash=?",
	);
	const partner = db.prepare(
		"select id, uuid, name, partner_type from partner where uuid=? and company_id=?",
	);
	const lead = db.prepare(
		"select l.uuid, l.company_name, l.email, l.first_name, l.last_name, l.status, l.created_at, l.updated_at, p.uuid puuid, p.name pname, p.partner_type ptype from lead l join partner p on p.id=l.partner_id where l.uuid=? and l.company_id=?",
	);
	const addLead = db.prepare(
		"insert into lead(uuid, company_id, partner_id, company_name, email, first_name, last_name, status, created_at, updated_at) values(?, ?, ?, ?, ?, ?, ?, 'new', ?, ?)",
	);
	const addAudit = db.prepare(
		"insert into audit(uuid, company_id, entity, entity_uuid, action, actor, changes, created_at) values(?, ?, 'lead', ?, 'created', 'U', ?, ?)",
	);
	const addEvent = db.prepare(
		"insert into event(uuid, company_id, event_id, entity, created_at) values(?, ?, 'lead_created', ?, ?)",
	);
	const nextSequences = db.prepare(
		"update integration set sequence=sequence+1 where company_id=? returning id, sequence",
	);
	const addDelivery = db.prepare(
		"insert into delivery(uuid, integration_id, event_id, lane, sequence, state, ready, due_at, attempts) values(?, ?, ?, ?, ?, 0, 1, ?, 0)",
	);

	const createLead = db.transaction(
		(
			fields: Fields,
			{ id, ...partnership }: Partnership & { id: number },
			{ companyId }: Caller,
		) => {
			const now = Date.now();
			const uuid = randomUUID();
			addLead.run(
				uuid,
				companyId,
				id,
				fields.company_name,
				fields.email,
				fields.first_name,
				fields.last_name,
				now,
				now,
			);
			const row = {
				...fields,
				uuid,
				status: "new",
				created_at: now,
				updated_at: now,
			};
			const created = toLead(row, partnership);
			const changes = JSON.stringify(toChanges(created));
			addAudit.run(randomUUID(), companyId, uuid, changes, now);
			const entity = JSON.stringify(toPayload(created));
			const event = addEvent.run(randomUUID(), companyId, entity, now);
			const eventId = event.lastInsertRowid;
			for (const next of nextSequences.all(companyId) as {
				id: number;
				sequence: number;
			}[])
				addDelivery.run(
					randomUUID(),
					next.id,
					eventId,
					uuid,
					next.sequence,
					now,
				);
			return created;
		},
	);

	return {
		createLead: createLead.immediate,
		findCaller: (hash: string) => key.get(hash) as Caller | undefined,
		findPartnership: (uuid: string, { companyId }: Caller) =>
			partner.get(uuid, companyId) as
				| (Partnership & { id: number })
				| undefined,
		findLead(uuid: string, { companyId }: Caller): Lead | undefined {
			const row = lead.get(uuid, companyId) as
				| (LeadRow & { puuid: string; pname: string; ptype: string })
				| undefined;
			if (!row) return undefined;
			return toLead(row, {
				uuid: row.puuid,
				name: row.pname,
				partner_type: row.ptype,
			});
		},
	};
}
