import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteInbox } from "@partnerwire/receiver/sqlite";
import { describeInboxStore } from "@partnerwire/receiver/testing";
import { afterAll, describe, it } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "partnerwire-inbox-"));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
const newFile = () => join(folder, `inbox-${++files}.db`);

describeInboxStore(
	"sqlite, two connections",
	(clock) => {
		const file = newFile();
		const own = sqliteInbox(file, { clock: clock.now });
		const other = sqliteInbox(file, { clock: clock.now });
		return {
			store: own.store,
			peer: other.store,
			close: async () => {
				await own.close();
				await other.close();
			},
		};
	},
	{ describe, it },
);
