import { appendFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { toNodeHandler } from "../../src/adapters/node.ts";
import { createReceiver } from "../../src/receiver.ts";
import { postgresInbox } from "../../src/stores/postgres.ts";
import { sqliteInbox } from "../../src/stores/sqlite.ts";
import { TEST_SECRET } from "../../src/testing/signed-request.ts";

const [at = "", ledger = ""] = process.argv.slice(2);
const options = { leaseMs: 2_000, pollMs: 20, retryBaseMs: 1, concurrency: 4 };
const inbox = at.startsWith("postgres:")
	? postgresInbox(at, options)
	: sqliteInbox(at, options);

/** Long enough for a kill to happen between the work and its completion. */
const breathe = () => new Promise((resolve) => setTimeout(resolve, 2));

const receiver = createReceiver({ secret: TEST_SECRET, inbox }).on(
	"*",
	async ({ claims }) => {
		await breathe();
		appendFileSync(ledger, `${claims.jti}\n`);
		await breathe();
	},
);
const server = createServer(toNodeHandler(receiver)).listen(0, "127.0.0.1");
server.once("listening", () =>
	process.send?.((server.address() as AddressInfo).port),
);
