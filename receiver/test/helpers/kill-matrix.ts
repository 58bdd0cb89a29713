import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresInbox } from "@partnerwire/receiver/postgres";
import { sqliteInbox } from "@partnerwire/receiver/sqlite";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "#kit/database/postgres.ts";
import { buildChild } from "./child-store.ts";
import { type KillPlan, killWhileReceiving } from "./kill-suite.ts";

const COMPLETIONS = `create table completions (id bigint);
create trigger note after update on partnerwire_inbox
	when (new.state = 'done' and old.state <> 'done') begin insert into completions values (new.id); end`;
const COMPLETIONS_POSTGRES = `create table completions (id bigint);
create function note() returns trigger language plpgsql as $$ begin insert into completions values (new.id); return new; end $$;
create trigger note after update on partnerwire_inbox for each row
	when (new.state = 'done' and old.state <> 'done') execute function note()`;
const DOUBLE = "select id from completions group by id having count(*) > 1";

/** Kills processes in a loop (SIGKILL): no acknowledged event may be lost, and none completed twice. */
export function describeKills(
	engines: readonly ("SQLite" | "PostgreSQL")[],
	plan: Pick<KillPlan, "events" | "killEvery" | "processes">,
): void {
	describe("an inbox whose processes are killed while they receive", () => {
		const folder = mkdtempSync(join(tmpdir(), "partnerwire-kill-"));
		const ledger = join(folder, "ledger");
		let program = "";
		beforeAll(async () => {
			program = await buildChild(
				mkdtempSync(join(import.meta.dirname, "../.child-")),
				"inbox-peer",
			);
		});
		afterAll(() => {
			rmSync(join(program, ".."), { recursive: true });
			rmSync(folder, { recursive: true });
		});

		const runs = {
			async SQLite() {
				const at = join(folder, "inbox.db");
				const inbox = sqliteInbox(at);
				const client = new Database(at);
				client.exec(COMPLETIONS);
				await killWhileReceiving({
					...plan,
					program,
					at,
					ledger,
					stats: inbox.stats,
				});
				expect(client.prepare(DOUBLE).all()).toEqual([]);
				client.close();
				await inbox.close();
			},
			async PostgreSQL() {
				const server = await openPostgres();
				const inbox = postgresInbox(server.pool);
				await inbox.stats();
				await server.pool.query(COMPLETIONS_POSTGRES);
				await killWhileReceiving({
					...plan,
					program,
					at: server.url,
					ledger,
					stats: inbox.stats,
				});
				expect((await server.pool.query(DOUBLE)).rows).toEqual([]);
				await server.close();
			},
		};
		test.each(engines)("in %s", (engine) => runs[engine]());
	});
}
