import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openStore } from "@partnerwire/core";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "#kit/database/postgres.ts";
import { toReason } from "#kit/to-reason.ts";
import { namesIn, put } from "../support/settings.ts";

/** A server that can become a standby again after its promotion. */
async function openServer() {
	const server = await openPostgres();
	onTestFinished(() => server.close());
	const { rows } = await server.pool.query("show data_directory");
	const signal = join(rows[0].data_directory, "standby.signal");
	return {
		...server,
		async standBy() {
			await server.stop();
			writeFileSync(signal, "");
			// The server runs as another user when the tests run as root.
			chmodSync(signal, 0o666);
			await server.start();
		},
		async promote() {
			await server.pool.query("select pg_promote()");
			rmSync(signal, { force: true });
		},
	};
}

test("a server that is still a standby is waited for like one that cannot be reached, and what is written once it is promoted is stored", async () => {
	const server = await openServer();
	const store = await openStore(server.url);
	onTestFinished(() => store.close());
	await server.standBy();
	expect(await namesIn(store.read)).toEqual([]);
	const written = store.write(put("one"));
	await server.promote();
	await written;
	expect(await namesIn(store.read)).toEqual(["one"]);
});

test("a start on a standby says what it is", async () => {
	const server = await openServer();
	await server.standBy();
	expect(await toReason(openStore(server.url))).toMatch(
		/is a standby, which takes no writes\./,
	);
});
