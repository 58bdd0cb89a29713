import { randomBytes } from "node:crypto";
import {
	copyFileSync,
	existsSync,
	readdirSync,
	readFileSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import {
	backupSqlite,
	createCipher,
	openSqliteStore,
	rekey,
	seedCompany,
} from "@partnerwire/core";
import { openService, readSeed } from "partnerwire";
import { expect, test } from "vitest";
import { toLocalCaller } from "../../admin/src/cli/local.ts";
import { rekeyDatabase } from "../../admin/src/cli/rekey-database.ts";
import { readSettings } from "../../admin/src/cli/settings/read-flags.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const EXTERNAL = { authorisation: [{ id: "token", value: "s3cret" }] };

const keyIdOf = (hex: string) =>
	createCipher(Buffer.from(hex.trim(), "hex")).keyId;

/** A database with every kind of encrypted value, and the values as the API shows them. */
async function openDatabase(secretKey?: string) {
	const database = join(createTempFolder(), "test.db");
	const service = await openService({ database, secretKey });
	const { company_uuid } = await service.store.write((db) =>
		seedCompany(db, readSeed(), Date.now()),
	);
	const caller = await toLocalCaller(service.store.read, company_uuid);
	const body = {
		label: "CRM",
		webhook_url: "https://crm.example/hook",
		api_key: "key-of-the-crm",
		external_settings: EXTERNAL,
	};
	const options = { idempotencyKey: "once" };
	const made = await service.core.execute(
		"createIntegration",
		{ body },
		caller,
		options,
	);
	const params = { integration_id: made.id };
	const rotated = await service.core.execute(
		"rotateIntegrationSecret",
		{ params, body: { cutover_at: "2999-01-01T00:00:00Z" } },
		caller,
	);
	await service.close();
	/** Reads the secrets with an encryption key, and the replayed answer too. */
	const read = async (key?: string) => {
		const opened = await openService({ database, secretKey: key });
		try {
			const shown = await opened.core.execute(
				"revealIntegrationSecret",
				{ params },
				caller,
			);
			const again = await opened.core.execute(
				"createIntegration",
				{ body },
				caller,
				options,
			);
			return [again, JSON.stringify(shown)];
		} finally {
			await opened.close();
		}
	};
	const secrets = [made.integration_uuid, rotated.integration_uuid];
	return { database, made, secrets, read };
}

test("a key file gives way to a new one, and everything opens as before", async () => {
	const { database, made, secrets, read } = await openDatabase();
	const before = readFileSync(`${database}.key`, "utf8");
	const { code, stdout } = await runPartnerwire([
		...["secrets", "rekey", "--yes", "--json", "--database", database],
	]);
	expect(code).toBe(0);
	// The secret, the next secret, the API key, external settings, the replayed answers of two operations, and the check value.
	expect(JSON.parse(stdout)).toMatchObject({ values: 6 });
	expect(stdout).not.toContain(before.trim());
	expect(readFileSync(`${database}.key`, "utf8")).not.toBe(before);
	expect(statSync(`${database}.key`).mode & 0o777).toBe(0o600);
	expect(existsSync(`${database}.key.next`)).toBe(false);
	// Older backups must stay readable.
	const kept = `${database}.key.${keyIdOf(before)}`;
	expect(readFileSync(kept, "utf8")).toBe(before);
	expect(statSync(kept).mode & 0o777).toBe(0o600);
	const [again, shown] = await read();
	expect(again).toEqual(made);
	for (const secret of secrets) expect(shown).toContain(secret);
});

test("a key of the environment gives way to another; the old one is refused then", async () => {
	const [key, next] = [0, 1].map(() => randomBytes(32).toString("hex"));
	const { database, made, read } = await openDatabase(key);
	const args = ["secrets", "rekey", "--yes", "--database", database];
	const env = { PARTNERWIRE_SECRET_KEY: key as string };
	const lonely = await runPartnerwire(args, { env });
	expect([lonely.code, lonely.stderr]).toEqual([
		2,
		expect.stringContaining("PARTNERWIRE_NEXT_SECRET_KEY need each other"),
	]);
	const { code, stdout, stderr } = await runPartnerwire(args, {
		env: { ...env, PARTNERWIRE_NEXT_SECRET_KEY: next as string },
	});
	expect([code, stderr]).toEqual([0, ""]);
	expect(stdout).not.toContain(next);
	expect((await read(next))[0]).toEqual(made);
	await expect(read(key)).rejects.toThrow("is not the one that this database");
});

test("a key that is merely wrong leaves no other beside it", async () => {
	const { database } = await openDatabase();
	const wrong = randomBytes(32).toString("hex");
	writeFileSync(`${database}.key`, wrong);
	const before = readdirSync(dirname(database));
	await expect(rekeyDatabase(readSettings({ database }, {}))).rejects.toThrow(
		/is not the one .*\)\.$/,
	);
	expect(readdirSync(dirname(database))).toEqual(before);
	expect(readFileSync(`${database}.key`, "utf8")).toBe(wrong);
});

test("a database restored from before says which kept key is its own", async () => {
	const { database, made, read } = await openDatabase();
	const old = join(createTempFolder(), "old.db");
	await backupSqlite(database, old);
	await rekeyDatabase(readSettings({ database }, {}));
	copyFileSync(old, database);
	const kept = readdirSync(dirname(database)).find((name) =>
		/\.key\.[0-9a-f]{12}$/.test(name),
	) as string;
	await expect(read()).rejects.toThrow(`${kept}: put that in the place`);
	copyFileSync(join(dirname(database), kept), `${database}.key`);
	expect((await read())[0]).toEqual(made);
});

test("a database that another process has open, idle, is not rekeyed", async () => {
	const { database, made, read } = await openDatabase();
	const other = await openService({ database });
	await expect(rekeyDatabase(readSettings({ database }, {}))).rejects.toThrow(
		"is open in another process: stop every serve and worker",
	);
	await other.close();
	expect((await read())[0]).toEqual(made);
});

test("who still holds the old key writes nothing under it", async () => {
	const { database, made } = await openDatabase();
	const stale = await openService({ database });
	const { store, core } = stale;
	await rekey(store, core.cipher, createCipher(randomBytes(32)));
	const [company] = await store.read.query
		.select()
		.from(store.read.tables.company);
	const caller = await toLocalCaller(store.read, company?.uuid as string);
	const params = { integration_id: made.id };
	const webhook_url = "https://crm.example/other";
	const writes = [
		core.execute(
			"createIntegration",
			{ body: { label: "B", webhook_url } },
			caller,
		),
		core.execute(
			"updateIntegration",
			{ params, body: { api_key: "k" } },
			caller,
		),
		core.execute("rotateIntegrationSecret", { params, body: {} }, caller),
	];
	for (const write of writes)
		await expect(write).rejects.toThrow("is not the one that this database");
	// Operations without secrets still work.
	await core.execute(
		"updateIntegration",
		{ params, body: { label: "C" } },
		caller,
	);
	const { integration } = store.read.tables;
	const rows = await store.read.query.select().from(integration);
	expect(rows.map(({ label }) => label)).toEqual(["C"]);
	expect(rows[0]?.secret).not.toMatch(`^${core.cipher.keyId}`);
	await stale.close();
});

test("PostgreSQL has no key file: both keys are asked for", async () => {
	const database = "postgres://127.0.0.1:9/none";
	const { code, stderr } = await runPartnerwire([
		...["secrets", "rekey", "--yes", "--database", database],
	]);
	expect([code, stderr]).toEqual([
		2,
		expect.stringContaining("as PARTNERWIRE_NEXT_SECRET_KEY"),
	]);
});

test("without --yes nothing happens, and it says what to stop", async () => {
	const { database } = await openDatabase();
	const { code, stderr } = await runPartnerwire([
		...["secrets", "rekey", "--database", database],
	]);
	expect([code, stderr]).toEqual([
		2,
		expect.stringContaining("stop every serve and worker, then give --yes"),
	]);
	expect(existsSync(`${database}.key.next`)).toBe(false);
});

test.each(["before", "after"])(
	"one that was killed %s the database was written is ended by the next",
	async (when) => {
		const { database, made, read } = await openDatabase();
		const key = readFileSync(`${database}.key`, "utf8").trim();
		const next = randomBytes(32).toString("hex");
		writeFileSync(`${database}.key.next`, `${next}\n`, { mode: 0o600 });
		if (when === "after") {
			const store = openSqliteStore(database);
			const [from, to] = [key, next].map((hex) =>
				createCipher(Buffer.from(hex, "hex")),
			);
			await rekey(store, from as never, to as never);
			await store.close();
			await expect(read()).rejects.toThrow(
				/is not the one .*\.key\.next: run `partnerwire secrets rekey` again/,
			);
		}
		await rekeyDatabase(readSettings({ database }, {}));
		expect(readFileSync(`${database}.key`, "utf8").trim()).toBe(next);
		expect((await read())[0]).toEqual(made);
	},
);

test("a value that does not open leaves the database as it was", async () => {
	const { database, made, read } = await openDatabase();
	const store = openSqliteStore(database);
	const wrong = createCipher(randomBytes(32));
	await expect(rekey(store, wrong, wrong)).rejects.toThrow(
		"under another secret key",
	);
	await store.close();
	expect((await read())[0]).toEqual(made);
});
