import { existsSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { createReceiver, ReceiverConfigError } from "@partnerwire/receiver";
import type { InboxOptions } from "@partnerwire/receiver/inbox";
import { postgresInbox } from "@partnerwire/receiver/postgres";
import {
	type SqliteInboxOptions,
	sqliteInbox,
} from "@partnerwire/receiver/sqlite";
import Database from "better-sqlite3";
import { describe, expect, onTestFinished, test } from "vitest";
import { SECRET } from "#kit/endpoints/tokens.ts";
import { newInboxFile, openInbox } from "../helpers/open-inbox.ts";

describe("what cannot work throws at construction", () => {
	const refused = (build: () => unknown, words: string) => {
		expect(build).toThrow(ReceiverConfigError);
		expect(build).toThrow(words);
	};

	test.each<[InboxOptions, string]>([
		[{ concurrency: 0 }, "concurrency"],
		[{ concurrency: 1.5 }, "concurrency"],
		[{ maxAttempts: 0 }, "maxAttempts"],
		[{ leaseMs: 0 }, "leaseMs"],
		[{ pollMs: Number.NaN }, "pollMs"],
		[{ retryMaxMs: -1 }, "retryMaxMs"],
		[{ drainMs: "5" as never }, "drainMs"],
	])("%o", (options, words) => {
		refused(() => sqliteInbox(newInboxFile(), options), words);
		refused(
			() => postgresInbox({ query: async () => ({ rows: [] }) }, options),
			words,
		);
	});

	test.each<[string, SqliteInboxOptions, string]>([
		["", {}, "path of a file"],
		[":memory:", {}, "not durable"],
		["file:x?mode=memory", {}, "not durable"],
		[undefined as never, {}, "path of a file"],
		["/nowhere/inbox.db", {}, "cannot be opened (ENOENT)"],
		["/", {}, "cannot be opened (EISDIR)"],
		["x.db", { table: "a; drop table b" }, "plain name"],
		["nowhere.db", { create: false }, "there is no file"],
	])("the file %s %o", (path, options, words) => {
		refused(() => sqliteInbox(path, options), words);
		expect(existsSync("nowhere.db")).toBe(false);
	});

	test("a file that is something else is left as it is", () => {
		const file = newInboxFile();
		writeFileSync(
			file,
			"no database, but longer than the header of one is: ".repeat(10),
		);
		refused(() => sqliteInbox(file), "cannot be opened (SQLITE_NOTADB)");
		const empty = join(file, "../empty.db");
		new Database(empty).exec("create table x (y)").close();
		refused(
			() => sqliteInbox(empty, { create: false }),
			"has no table partnerwire_inbox",
		);
	});

	test("better-sqlite3 that is not built says what to run, and leaves no file", () => {
		const { cache, resolve } = createRequire(import.meta.url);
		const driver = cache[resolve("better-sqlite3")] as NodeJS.Module;
		const { exports } = driver;
		onTestFinished(() => {
			driver.exports = exports;
		});
		driver.exports = class {
			constructor() {
				throw new Error(
					"Could not locate the bindings file. Tried:\n → a\n → b",
				);
			}
		};
		const file = newInboxFile();
		const advice = `sqliteInbox: better-sqlite3 is not built for Node ${process.version}: run \`npm rebuild better-sqlite3\` (pnpm: \`pnpm approve-builds\`); the file is not touched.`;
		for (const create of [true, false])
			refused(() => sqliteInbox(file, { create }), advice);
		expect(existsSync(file)).toBe(false);
	});

	test("an inbox is one receiver's, recognises duplicates itself and acknowledges first", () => {
		const { inbox } = openInbox();
		const create = (more: object) => () =>
			createReceiver({ secret: SECRET, inbox, ...more });
		refused(create({ dedup: false }), "leave dedup out");
		refused(create({ ackFirst: false }), "leave ackFirst out");
		create({ ackFirst: true })();
		refused(create({}), "another receiver");
	});

	test.each([undefined, null, {}, 1])("postgresInbox(%s)", (client) => {
		refused(() => postgresInbox(client as never), "a client of pg");
	});
});
