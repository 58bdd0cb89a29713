import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { H3, type H3Event, toNodeHandler } from "h3";
import pg from "pg";
import * as z from "zod";
import { serveCalls } from "../kit/child.ts";
import {
	type LeadRow,
	type Partnership,
	toChanges,
	toLead,
	toPayload,
} from "./api-baseline-lead.ts";

/*
 * The best straightforward program for creating and reading a lead on PostgreSQL: h3, zod and named prepared statements, one
 * transaction for each request. It does the same work as our service for these requests, and serves no others.
 */

const SCHEMA = `
	create table api_key(hash text primary key, company_id int, user_id int, write bool);
	create table partner(id bigserial primary key, uuid uuid unique, company_id int, name text, partner_type text);
	create table lead(id bigserial primary key, uuid uuid unique, company_id int, partner_id bigint, company_name text,
		email text, first_name text, last_name text, status text, created_at bigint, updated_at bigint);
	create index on lead(company_id, created_at);
	create table audit(id bigserial primary key, uuid uuid, company_id int, entity text, entity_uuid uuid, action text,
		actor text, changes text, created_at bigint);
	create index on audit(company_id, entity_uuid);
	create table integration(id int primary key, company_id int, sequence bigint);
	create index on integration(company_id);
	create table event(id bigserial primary key, uuid uuid, company_id int, event_id text, entity text, created_at bigint);
	create table delivery(id bigserial primary key, uuid uuid unique, integration_id int, event_id bigint, lane uuid,
		sequence bigint, state int, ready bool, due_at bigint, attempts int);
	create index on delivery(integration_id, due_at) where ready and state = 0;`;

const STATEMENTS = {
	key: "select company_id, write from api_key where hash = $1",
	partner:
		"select id, uuid, name, partner_type from partner where uuid = $1 and company_id = $2",
	lead: "select l.uuid, l.company_name, l.email, l.first_name, l.last_name, l.status, l.created_at, l.updated_at, p.uuid puuid, p.name pname, p.partner_type ptype from lead l join partner p on p.id = l.partner_id where l.uuid = $1 and l.company_id = $2",
	addLead:
		"insert into lead(uuid, company_id, partner_id, company_name, email, first_name, last_name, status, created_at, updated_at) values($1, $2, $3, $4, $5, $6, $7, 'new', $8, $8)",
	addAudit:
		"insert into audit(uuid, company_id, entity, entity_uuid, action, actor, changes, created_at) values($1, $2, 'lead', $3, 'created', 'U', $4, $5)",
	emit: "with i as (update integration set sequence = sequence + 1 where company_id = $1 returning id, sequence), e as (insert into event(uuid, company_id, event_id, entity, created_at) values($2, $1, 'lead_created', $3, $4) returning id) insert into delivery(uuid, integration_id, event_id, lane, sequence, state, ready, due_at, attempts) select gen_random_uuid(), i.id, e.id, $5, i.sequence, 0, true, $4, 0 from i, e",
} as const;

const text = (max: number) => z.string().max(max).optional();
const Body = z.object({
	partnership_uuid: z.string(),
	company_name: text(255),
	email: text(320),
	first_name: text(255),
	last_name: text(255),
});

const refuse = (status: number) => new Response("{}", { status });
const hash = (key: string) => createHash("sha256").update(key).digest("hex");

async function run<Row>(
	on: pg.Pool | pg.PoolClient,
	name: keyof typeof STATEMENTS,
	values: unknown[],
): Promise<Row | undefined> {
	const { rows } = await on.query({ name, text: STATEMENTS[name], values });
	return rows[0];
}

interface Caller {
	readonly company_id: number;
	readonly write: boolean;
}

async function createLead(
	pool: pg.Pool,
	{ company_id }: Caller,
	{ partnership_uuid, ...fields }: z.infer<typeof Body>,
) {
	const client = await pool.connect();
	try {
		await client.query("begin");
		const partner = await run<Partnership & { id: number }>(client, "partner", [
			partnership_uuid,
			company_id,
		]);
		if (!partner) throw new TypeError("there is no such partner");
		const now = Date.now();
		const uuid = randomUUID();
		await run(client, "addLead", [
			uuid,
			company_id,
			partner.id,
			fields.company_name,
			fields.email,
			fields.first_name,
			fields.last_name,
			now,
		]);
		const times = { created_at: now, updated_at: now };
		const { id: _, ...partnership } = partner;
		const lead = toLead(
			{ ...fields, uuid, status: "new", ...times },
			partnership,
		);
		const changes = JSON.stringify(toChanges(lead));
		await run(client, "addAudit", [
			randomUUID(),
			company_id,
			uuid,
			changes,
			now,
		]);
		const entity = JSON.stringify(toPayload(lead));
		await run(client, "emit", [company_id, randomUUID(), entity, now, uuid]);
		await client.query("commit");
		return lead;
	} catch (error) {
		await client.query("rollback");
		throw error;
	} finally {
		client.release();
	}
}

const calls = {
	/** Makes the companies, each with a partner, a key and an integration. */
	async open({ database, companies }: { database: string; companies: number }) {
		pg.types.setTypeParser(pg.types.builtins.INT8, Number);
		const pool = new pg.Pool({ connectionString: database, max: 10 });
		await pool.query(SCHEMA);
		const made = [];
		for (let id = 1; id <= companies; id++) {
			const company = {
				key: randomBytes(32).toString("hex"),
				partnershipUuid: randomUUID(),
			};
			made.push(company);
			await pool.query("insert into api_key values($1, $2, 1, true)", [
				hash(company.key),
				id,
			]);
			await pool.query(
				"insert into partner(uuid, company_id, name, partner_type) values($1, $2, 'Acme', 'reseller')",
				[company.partnershipUuid, id],
			);
			await pool.query("insert into integration values($1, $1, 0)", [id]);
		}

		const authorize = (event: H3Event) => {
			const header = event.req.headers.get("authorization") ?? "";
			const sent = /^Bearer (.+)$/.exec(header)?.[1] ?? "";
			return run<Caller>(pool, "key", [hash(sent)]);
		};
		const app = new H3()
			.post("/v1/leads", async (event) => {
				const caller = await authorize(event);
				if (!caller?.write) return refuse(401);
				const body = Body.safeParse(JSON.parse(await event.req.text()));
				if (!body.success) return refuse(400);
				event.res.status = 201;
				return createLead(pool, caller, body.data);
			})
			.get("/v1/leads/:uuid", async (event) => {
				const caller = await authorize(event);
				if (!caller) return refuse(401);
				const uuid = event.context.params?.uuid ?? "";
				const row = await run<
					LeadRow & { puuid: string; pname: string; ptype: string }
				>(pool, "lead", [uuid, caller.company_id]);
				if (!row) return refuse(404);
				return toLead(row, {
					uuid: row.puuid,
					name: row.pname,
					partner_type: row.ptype,
				});
			});
		const server = createServer(toNodeHandler(app));
		await new Promise<void>((resolve) =>
			server.listen(0, "127.0.0.1", resolve),
		);
		const { port } = server.address() as AddressInfo;
		return { url: `http://127.0.0.1:${port}`, companies: made };
	},
};
export type Calls = typeof calls;

serveCalls(calls);
