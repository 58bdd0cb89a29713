import { postgresInbox } from "@partnerwire/receiver/postgres";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgres } from "#kit/database/postgres.ts";
import { ADAPTERS } from "#kit/endpoints/adapters.ts";
import { tok } from "#kit/endpoints/tokens.ts";
import { expectOk, expectRefusal } from "../cases/case.ts";
import { openStallingProxy } from "../helpers/stalling-proxy.ts";
import { openWorld } from "../helpers/world.ts";

let server: Awaited<ReturnType<typeof openPostgres>>;
beforeAll(async () => {
	server = await openPostgres();
});
afterAll(() => server?.close());

const fetchAdapter = ADAPTERS[0] as (typeof ADAPTERS)[0];
const bearer = (jti: string) => ({ authorization: `Bearer ${tok({ jti })}` });
const OPTIONS = { pollMs: 10, retryBaseMs: 1, retryMaxMs: 1, leaseMs: 2_000 };

async function openReceiver(port: number, table: string, deadlineMs: number) {
	const pool = new pg.Pool({ ...server.address, port });
	pool.on("error", () => {});
	const inbox = postgresInbox(pool, { ...OPTIONS, table });
	const world = await openWorld(fetchAdapter, {
		inbox,
		deadlineMs,
		leaseMs: deadlineMs + 1,
	});
	/** Sends an event until it is acknowledged, as the sender does. */
	const deliver = async (jti: string) => {
		let answer = await world.send(bearer(jti));
		while (answer.status === 503) answer = await world.send(bearer(jti));
		return answer;
	};
	return { pool, inbox, world, deliver };
}

test("the server restarts in the middle: what was acknowledged is handled, what was not is refused", async () => {
	const { pool, inbox, world, deliver } = await openReceiver(
		server.port,
		"restarted",
		5_000,
	);
	let isUp = true;
	world.work = () => {
		if (!isUp) throw new Error("not yet");
	};
	isUp = false;
	expectOk(await world.send(bearer("1")), { stored: true });
	await server.stop();
	expectRefusal(await world.send(bearer("2")), "STORE_UNAVAILABLE");
	expect(world.log.join()).toContain("The inbox cannot store an event");
	await server.start();
	isUp = true;
	expectOk(await deliver("2"), { stored: true });
	expectOk(await deliver("1"), { duplicate: true });
	while ((await inbox.stats()).done < 2) await new Promise(setImmediate);
	await world.receiver.close();
	await pool.end();
});

test("the network stalls: refused at the deadline, the worker goes on afterwards, and closing does not hang", async () => {
	const proxy = await openStallingProxy(server.port);
	const { pool, inbox, world, deliver } = await openReceiver(
		proxy.port,
		"stalled",
		1_000,
	);
	expectOk(await world.send(bearer("1")), { stored: true });
	while ((await inbox.stats()).done < 1) await new Promise(setImmediate);
	proxy.stall();
	expectRefusal(await world.send(bearer("2")), "STORE_UNAVAILABLE");
	expect(world.log.join()).toContain("it takes too long");
	proxy.resume();
	expect((await deliver("2")).status).toBe(200);
	while ((await inbox.stats()).done < 2) await new Promise(setImmediate);
	proxy.stall();
	await world.receiver.close();
	await proxy.close();
	await pool.end();
});
