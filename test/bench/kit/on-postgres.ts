import { randomBytes } from "node:crypto";
import { seedCompany } from "@partnerwire/core";
import { openService, readSeed, type Service } from "partnerwire";
import { onDatabase } from "../../kit/database/database-client.ts";
import { openPostgres } from "../../kit/database/postgres.ts";
import { removeTempFolders } from "../../kit/temp-folder.ts";
import { ENTITY } from "./delivery-load.ts";

/** The encryption key of all databases on the bench's own server. */
export const SECRET_KEY = randomBytes(32).toString("hex");
export const INTEGRATIONS = 200;

export interface Server {
	readonly url: string;
	/** The process that started all others of the server. */
	readonly pid: number;
}

/** Starts a server with the default durability: every commit reaches the disk. */
export async function onServer<Result>(
	work: (server: Server) => Promise<Result>,
	settings: readonly string[] = [],
): Promise<Result> {
	const server = await openPostgres(settings);
	try {
		const { rows } = await server.pool.query(
			"select split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int as pid",
		);
		return await work({ url: server.url, pid: rows[0].pid });
	} finally {
		await server.close();
		removeTempFolders();
	}
}

/** Creates a database on the server, and returns its URL. */
export async function addDatabase(
	server: Server,
	name: string,
): Promise<string> {
	await onDatabase(server.url, (client) =>
		client.query(`create database ${name}`),
	);
	const database = new URL(server.url);
	database.pathname = name;
	return database.toString();
}

export interface Filled {
	readonly database: string;
	readonly service: Service;
}

/** Creates a database with a company, its integrations and this many pending deliveries. Nothing delivers them. */
export async function openFilled(
	server: Server,
	name: string,
	{ rows, url }: { rows: number; url: string },
): Promise<Filled> {
	const database = await addDatabase(server, name);
	const service = await openService({
		secretKey: SECRET_KEY,
		allowHttp: true,
		allowPrivate: true,
		database,
	});
	const { keys } = await service.store.write((db) =>
		seedCompany(db, readSeed(), Date.now()),
	);
	const caller = await service.core.authenticate(keys.full);
	if (!caller) throw new TypeError("the seed's key is not valid");
	for (let n = 0; n < INTEGRATIONS; n++)
		await service.core.execute(
			"createIntegration",
			{ body: { label: `I ${n}`, webhook_url: url } },
			caller,
		);
	await fillQueue(database, { rows, integrations: INTEGRATIONS });
	return { database, service };
}

/** Ids that grow with time, as the service's do. With random ids, each new entry would be on another page of the index. */
const uuidOf = (group: number, number: string) =>
	`('01934f2a-000${group}-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;

/**
 * Replaces all deliveries by pending ones, each in a lane of its own, evenly over the integrations. These are all that the database ever
 * had, and `rows` is a multiple of their number.
 */
export const fillQueue = (
	database: string,
	{ rows, integrations }: { rows: number; integrations: number },
) =>
	onDatabase(database, async (client) => {
		await client.query("truncate event, delivery, attempt restart identity");
		await client.query(
			`insert into event (uuid, company_uuid, event_id, user_uuid, record_uuid, entity, created_at)
			select ${uuidOf(1, "n")}, i.company_uuid, 'lead_updated', i.company_uuid, ${uuidOf(2, "n")}, $2, 0
			from generate_series(1, $1::int) n join integration i on i.id = 1 + n % ${integrations}`,
			[rows, JSON.stringify(ENTITY)],
		);
		await client.query(
			`insert into delivery (uuid, integration_id, event_row_id, configuration_id, lane, sequence, state, ready, due_at, attempts, lease, created_at)
			select ${uuidOf(3, "e.id")}, i.id, e.id, i.configuration_id, e.record_uuid, (e.id + ${integrations - 1}) / ${integrations}, 'pending', true, 0, 0, 0, 0
			from event e join integration i on i.id = 1 + e.id % ${integrations}`,
		);
		await client.query("update integration set sequence = $1, settled = 0", [
			rows / integrations,
		]);
		await client.query("vacuum analyze");
		// Otherwise writing a million rows back to the disk would be part of the measurement.
		await client.query("checkpoint");
	});
