// After the promotion of a standby: another one that follows the new primary answers lists, one that follows the old primary does not.

import { openStore } from "@partnerwire/core";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres, openStandby } from "#kit/database/postgres.ts";
import {
	ask,
	BY_PRIMARY,
	openAddress,
	openReadingStore,
	withStandby,
} from "../support/read-replica.ts";

const SETTINGS = ["fsync=off"];

/** A primary, and a standby of it that was promoted while the network was split, with a standby of each. */
async function openSplit() {
	const old = await openPostgres(SETTINGS);
	onTestFinished(() => old.close());
	await (await openStore(old.url)).close();
	const promoted = await openStandby(old, SETTINGS);
	onTestFinished(() => promoted.close());
	const follower = await openStandby(promoted, SETTINGS);
	onTestFinished(() => follower.close());
	const left = await openStandby(old, SETTINGS);
	onTestFinished(() => left.close());
	await promoted.pool.query("select pg_promote()");
	// The old primary goes on, and writes more than the new one.
	await old.pool.query(
		"create table lost as select generate_series(1, 100000)",
	);
	const findLost = async () =>
		(await left.pool.query("select to_regclass('lost') as is")).rows[0].is;
	await expect.poll(findLost).not.toBeNull();
	return { old, promoted, follower, left };
}

test("a standby answers only for a primary whose history it has", async () => {
	const { old, promoted, follower, left } = await openSplit();
	for (const [database, standby, why] of [
		[promoted, left, "replays timeline 1 and not 2"],
		[old, follower, "replays timeline 2 and not 1"],
	] as const) {
		const { store, changes } = await openReadingStore(
			withStandby(database.url, standby.url),
		);
		for (let times = 0; times < 5; times++)
			expect(await ask(store)).toEqual(BY_PRIMARY);
		expect(changes).toEqual([
			expect.objectContaining({ why: expect.stringContaining(why) }),
		]);
	}
	const address = await openAddress(follower.port);
	const { store, serves } = await openReadingStore(
		withStandby(promoted.url, address.url),
	);
	await serves();
	expect(await ask(store)).toMatchObject({ byStandby: true });
	address.leadTo(left.port);
	for (let times = 0; times < 5; times++)
		expect(await ask(store)).toEqual(BY_PRIMARY);
	// A user who may not see what the standby receives hears of its timeline after a checkpoint.
	await promoted.pool.query("create role plain login password 'plain'");
	await promoted.pool.query("checkpoint");
	await expect
		.poll(() =>
			follower.pool.query("select 'plain'::regrole").catch(() => null),
		)
		.not.toBeNull();
	await follower.pool.query("checkpoint");
	const byPlain = await openReadingStore(
		withStandby(
			promoted.url,
			follower.url.replace("postgres:postgres@", "plain:plain@"),
		),
	);
	await byPlain.serves();
	expect(await ask(byPlain.store)).toMatchObject({ byStandby: true });
});
