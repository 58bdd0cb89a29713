// Secrets in the database, and the encryption key.

import { randomBytes } from "node:crypto";
import {
	existsSync,
	readdirSync,
	rmSync,
	statSync,
	writeFileSync,
} from "node:fs";
import { basename, dirname } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readEverything } from "#kit/database/database.ts";
import {
	addIntegration,
	newDatabasePath,
	openTestCore,
} from "#kit/database/open-core.ts";
import {
	createCipher,
	loadSecretKey,
	openSqliteStore,
	parseSecretKey,
	SecretKeyError,
} from "../src/index.ts";

const API_KEY = "the-api-key-of-the-crm";
const SETTING = "the-value-of-a-setting";

test("no secret of an integration lies in the database in clear", async () => {
	const core = await openTestCore();
	const { caller } = core;
	const options = { idempotencyKey: "a-key" };
	const made = await core.execute(
		"createIntegration",
		{
			body: {
				label: "CRM",
				webhook_url: "https://hooks.example/",
				api_key: API_KEY,
				external_settings: { authorisation: [{ id: "token", value: SETTING }] },
			},
		},
		caller,
		options,
	);
	const params = { integration_id: made.id };
	const rotated = await core.execute(
		"rotateIntegrationSecret",
		{ params, body: { cutover_at: "2027-01-01T00:00:00Z" } },
		caller,
		options,
	);
	const key = await core.execute(
		"createApiKey",
		{ body: { label: "Key", read: true } },
		caller,
		options,
	);
	const secrets = [
		made.integration_uuid,
		rotated.integration_uuid,
		key.key,
		API_KEY,
		SETTING,
	];
	expect(new Set(secrets).size).toBe(5);
	const stored = await readEverything(core.path);
	for (const secret of secrets) expect(stored).not.toContain(secret);
	// A value that is not secret is found, which shows that the search works.
	expect(stored).toContain("https://hooks.example/");
	await core.close();
	expect(await readEverything(core.path)).not.toContain(API_KEY);
});

test("the database opens under its own key only, and says so in one sentence", async () => {
	const key = randomBytes(32);
	const core = await openTestCore({ key });
	await addIntegration(core, core.caller);
	await core.close();
	const { path } = core;
	await (await openTestCore({ path, key })).close();
	const refused = openTestCore({ path, key: randomBytes(32) });
	await expect(refused).rejects.toBeInstanceOf(SecretKeyError);
	await expect(refused).rejects.toThrow(
		/^The secret key .* is not the one .*\)\.$/,
	);
});

test("the key file is made beside a new database, for its owner alone, and is read again", () => {
	const path = newDatabasePath();
	const key = loadSecretKey(path, undefined);
	expect(key).toHaveLength(32);
	expect(statSync(`${path}.key`).mode & 0o777).toBe(0o600);
	expect(loadSecretKey(path, undefined)).toEqual(key);
});

test("a database without its key file is refused, and no new key is made for it", async () => {
	const path = newDatabasePath();
	loadSecretKey(path, undefined);
	await openSqliteStore(path).close();
	rmSync(`${path}.key`);
	expect(() => loadSecretKey(path, undefined)).toThrow(SecretKeyError);
	expect(() => loadSecretKey(path, undefined)).toThrow(
		/^The key file .* is missing; .*\.$/,
	);
	expect(existsSync(`${path}.key`)).toBe(false);
});

test("a file that is no SQLite database is called so, and an empty one is a new database", () => {
	const path = newDatabasePath();
	writeFileSync(path, "notes");
	expect(() => loadSecretKey(path, undefined)).toThrow(
		`${path} is not a SQLite database.`,
	);
	expect(readdirSync(dirname(path))).toEqual([basename(path)]);
	writeFileSync(path, "");
	expect(loadSecretKey(path, undefined)).toHaveLength(32);
	expect(readdirSync(dirname(path)).sort()).toEqual([
		basename(path),
		`${basename(path)}.key`,
	]);
});

test("a malformed key is refused without being shown", () => {
	const path = newDatabasePath();
	const wrong = ["", "short", "g".repeat(64), "a".repeat(63), "!".repeat(43)];
	for (const text of wrong) {
		expect(() => loadSecretKey(path, text)).toThrow(SecretKeyError);
		expect(() => loadSecretKey(path, text)).toThrow(
			/^PARTNERWIRE_SECRET_KEY must be 32 bytes/,
		);
	}
	writeFileSync(`${path}.key`, "scribble");
	expect(() => loadSecretKey(path, undefined)).toThrow(
		/^[^\n]*must be 32 bytes[^\n]*\.$/,
	);
	expect(() => loadSecretKey(path, undefined)).not.toThrow(/scribble/);
});

test("a key is spelled in hex or base64", () => {
	const key = randomBytes(32);
	for (const encoding of ["hex", "base64", "base64url"] as const)
		expect(parseSecretKey(`${key.toString(encoding)}\n`, "test")).toEqual(key);
	expect(parseSecretKey(key.toString("hex").toUpperCase(), "test")).toEqual(
		key,
	);
});

test("a ciphertext opens under its own key, purpose and bytes only, and never twice the same", () => {
	const cipher = createCipher(randomBytes(32));
	const other = createCipher(randomBytes(32));
	expect(other.keyId).not.toBe(cipher.keyId);
	fc.assert(
		fc.property(
			fc.string({ unit: "binary" }),
			fc.string(),
			fc.nat(),
			(plain, purpose, at) => {
				const sealed = cipher.encrypt(plain, purpose);
				expect(cipher.decrypt(sealed, purpose)).toBe(
					Buffer.from(plain).toString(),
				);
				expect(cipher.encrypt(plain, purpose)).not.toBe(sealed);
				expect(() => cipher.decrypt(sealed, `${purpose}x`)).toThrow();
				expect(() => other.decrypt(sealed, purpose)).toThrow(SecretKeyError);
				const [id = "", data = ""] = sealed.split(".");
				const bytes = Buffer.from(data, "base64url");
				const index = at % bytes.length;
				bytes[index] = (bytes[index] as number) ^ 1;
				const changed = `${id}.${bytes.toString("base64url")}`;
				expect(() => cipher.decrypt(changed, purpose)).toThrow();
				expect(() => cipher.decrypt(sealed.slice(0, -8), purpose)).toThrow();
			},
		),
		{ numRuns: 100 },
	);
});

test("the key's id tells nothing of the key, and a key of another length is refused", () => {
	const key = randomBytes(32);
	expect(key.toString("hex")).not.toContain(createCipher(key).keyId);
	for (const length of [0, 16, 31, 33])
		expect(() => createCipher(Buffer.alloc(length))).toThrow(TypeError);
});
