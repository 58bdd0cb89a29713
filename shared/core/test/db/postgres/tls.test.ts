// `sslmode`, `ssl` and the certificates of a URL, as libpq reads them, on servers with TLS, without it, and with TLS alone.

import { chmodSync, chownSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { openPostgres } from "#kit/database/postgres.ts";
import { CERTIFICATE, KEY } from "#kit/endpoints/certificates.ts";
import { createTempFolder } from "#kit/temp-folder.ts";
import { toReason } from "#kit/to-reason.ts";
import { openRateTable, openStore } from "../../../src/index.ts";

let server: Awaited<ReturnType<typeof openPostgres>>;
/** A connection that changes of the server leave as it is. */
let admin: pg.PoolClient;
/** The server's own certificate. It names another host than the tests connect to. */
let certificate: string;
beforeAll(async () => {
	server = await openPostgres();
	admin = await server.pool.connect();
	const folder = createTempFolder();
	chmodSync(folder, 0o755);
	certificate = join(folder, "server.crt");
	writeFileSync(certificate, CERTIFICATE);
	const key = join(folder, "server.key");
	writeFileSync(key, KEY, { mode: 0o600 });
	const { uid, gid } = statSync(await show("data_directory"));
	chownSync(key, uid, gid);
	await admin.query(`alter system set ssl_cert_file = '${certificate}'`);
	await admin.query(`alter system set ssl_key_file = '${key}'`);
});
afterAll(async () => {
	admin?.release(true);
	await server?.close();
});

const show = async (name: string): Promise<string> =>
	(await admin.query(`show ${name}`)).rows[0][name];

const SERVERS = {
	"with TLS": { ssl: "on", lines: "host" },
	"without TLS": { ssl: "off", lines: "host" },
	"with TLS alone": { ssl: "on", lines: "hostssl" },
};

/** Whether the connections of a URL with these parameters use TLS, or why it is refused. */
async function connectWith(parameters: string): Promise<boolean | string> {
	const url = `${server.url}?${parameters.replace("CERTIFICATE", encodeURIComponent(certificate))}`;
	try {
		const store = await openStore(url);
		const rows = await store.read.postgres?.<{ ssl: boolean }>(
			"is_encrypted",
			"select ssl from pg_stat_ssl where pid = pg_backend_pid()",
			[],
		);
		await store.close();
		const table = await openRateTable(url);
		const counted = await table.query({
			text: "select ssl from pg_stat_ssl where pid = pg_backend_pid()",
		});
		await table.close();
		expect(counted.rows).toEqual(rows);
		return rows?.[0]?.ssl ?? "nothing was read";
	} catch (error) {
		expect(error).toMatchObject({ name: "StorageError" });
		return toReason(Promise.reject(error));
	}
}

describe.each(Object.entries(SERVERS))(
	"a server %s",
	(name, { ssl, lines }) => {
		beforeAll(async () => {
			writeFileSync(
				await show("hba_file"),
				`${lines} all all 127.0.0.1/32 password\n`,
			);
			await admin.query(`alter system set ssl = ${ssl}`);
			await admin.query("select pg_reload_conf()");
			await vi.waitFor(async () => expect(await show("ssl")).toBe(ssl), {
				timeout: 30_000,
			});
		});

		test.each<[string, Record<keyof typeof SERVERS, boolean | RegExp>]>([
			[
				"",
				{
					"with TLS": false,
					"without TLS": false,
					"with TLS alone": /refuses the user/,
				},
			],
			[
				"sslmode=disable",
				{
					"with TLS": false,
					"without TLS": false,
					"with TLS alone": /refuses the user/,
				},
			],
			[
				"ssl=false",
				{
					"with TLS": false,
					"without TLS": false,
					"with TLS alone": /refuses the user/,
				},
			],
			[
				"ssl=0",
				{
					"with TLS": false,
					"without TLS": false,
					"with TLS alone": /refuses the user/,
				},
			],
			[
				"sslmode=allow",
				{ "with TLS": false, "without TLS": false, "with TLS alone": true },
			],
			[
				"sslmode=prefer",
				{ "with TLS": true, "without TLS": false, "with TLS alone": true },
			],
			[
				"sslmode=require",
				{
					"with TLS": true,
					"without TLS": /takes no TLS/,
					"with TLS alone": true,
				},
			],
			[
				"ssl=true",
				{
					"with TLS": true,
					"without TLS": /takes no TLS/,
					"with TLS alone": true,
				},
			],
			[
				"sslmode=no-verify",
				{
					"with TLS": true,
					"without TLS": /takes no TLS/,
					"with TLS alone": true,
				},
			],
			[
				"sslmode=verify-ca&sslrootcert=CERTIFICATE",
				{
					"with TLS": true,
					"without TLS": /takes no TLS/,
					"with TLS alone": true,
				},
			],
			[
				"sslmode=require&sslrootcert=CERTIFICATE",
				{
					"with TLS": true,
					"without TLS": /takes no TLS/,
					"with TLS alone": true,
				},
			],
			[
				"sslmode=verify-full&sslrootcert=CERTIFICATE",
				{
					"with TLS": /not trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)/,
					"without TLS": /takes no TLS/,
					"with TLS alone": /not trusted/,
				},
			],
			[
				"sslmode=verify-full",
				{
					"with TLS": /not trusted \(\w+\): give its authority as sslrootcert/,
					"without TLS": /takes no TLS/,
					"with TLS alone": /not trusted/,
				},
			],
			[
				"sslrootcert=system",
				{
					"with TLS": /not trusted/,
					"without TLS": /takes no TLS/,
					"with TLS alone": /not trusted/,
				},
			],
		])("with %s", async (parameters, expected) => {
			const warn = vi.spyOn(process, "emitWarning");
			const outcome = await connectWith(parameters);
			const wanted = expected[name as keyof typeof SERVERS];
			if (typeof wanted === "boolean") expect(outcome).toBe(wanted);
			else expect(outcome).toMatch(wanted);
			expect(warn).not.toHaveBeenCalled();
		});
	},
);

test.each([
	["sslmode=requiered", /takes sslmode=disable, allow, prefer, require/],
	["ssl=maybe", /takes ssl=true or false/],
	["sslmode=verify-ca", /needs sslrootcert with sslmode=verify-ca/],
	[
		"sslmode=verify-ca&sslrootcert=/nowhere.crt",
		/names a file as sslrootcert that cannot be read \(ENOENT\)/,
	],
	["listen_url=postgres%3A%2F%2Fh%2Fx%3Fsslmode%3Dx", /takes sslmode=/],
])("%s is refused in one sentence", async (parameters, says) => {
	expect(await connectWith(parameters)).toMatch(says);
});
