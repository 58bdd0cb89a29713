import { writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runPartnerwire, startPartnerwire } from "../support/partnerwire.ts";
import { openTempFolder } from "../support/temp-folder.ts";

const start = async (...args: string[]) => {
	const cwd = openTempFolder();
	const emulator = startPartnerwire(
		["serve", "--emulator", "--port", "0", "--json", ...args],
		{ cwd },
	);
	const seeded = await emulator.line("seeded");
	const { url, inbox_url } = await emulator.line("ready");
	return { ...emulator, cwd, seeded, url: String(url), inbox_url };
};

test("serve --emulator serves, is controlled, says the same keys each time, and leaves nothing behind", async () => {
	const one = await start();
	const clock = await fetch(`${one.url}/_emulator/clock`);
	expect(await clock.json()).toMatchObject({ mode: "running" });
	expect(one.inbox_url).toBe(`${one.url}/_emulator/hooks/inbox`);
	const other = await start(
		...["--start-at", "2026-12-01T00:00:00Z", "--token-lifetime", "60"],
		...["--pass-after", "5", "--retention-days", "1", "--concurrency", "4"],
	);
	expect(other.seeded).toEqual(one.seeded);
	const frozen = await fetch(`${other.url}/_emulator/clock`);
	expect(await frozen.json()).toEqual({
		now: "2026-12-01T00:00:00.000Z",
		mode: "frozen",
	});
	expect(await one.stop()).toBe(0);
	expect(await readdir(one.cwd)).toEqual([]);
});

test("--seed takes a file, and a wrong one is one sentence that names what is wrong", async () => {
	const path = join(openTempFolder(), "seed.json");
	writeFileSync(path, JSON.stringify({ company: { name: "Own" }, users: [] }));
	const { code, stderr } = await runPartnerwire([
		...["serve", "--emulator", "--port", "0", "--seed", path],
	]);
	expect([code, stderr]).toEqual([
		1,
		"partnerwire: seed/users: must hold at least one user\n",
	]);
});

test.each([
	[["--host", "0.0.0.0"], "this machine alone: 0.0.0.0 is not"],
	[["--host", "::"], "this machine alone: :: is not"],
	[["--host", "partnerwire.example"], "leave --host out"],
	[["--public-url", "https://a.example"], "leave --public-url out"],
	[["--database", "mine.db"], "leave --database out"],
	[["--no-worker"], "leave --no-worker out"],
	[["--ca", "ca.pem"], "does not follow --ca: leave it out"],
	[["--demo"], "does not follow --demo"],
	[["--trust-proxy", "127.0.0.1"], "does not follow --trust-proxy"],
	[["--alert-age", "5"], "does not follow --alert-age"],
	[["--log-level", "debug"], "does not follow --log-level"],
	[["--start-at", "tomorrow"], "--start-at must be a date and time"],
])("--emulator with %j is refused, and says what to do", async (args, said) => {
	const cwd = openTempFolder();
	const { code, stderr, stdout } = await runPartnerwire(
		["serve", "--emulator", "--port", "0", ...args],
		{ cwd },
	);
	expect([code, stdout]).toEqual([2, ""]);
	expect(stderr).toContain(said);
	expect(await readdir(cwd)).toEqual([]);
});

test.each([
	["--seed", "seed.json"],
	["--start-at", "2026-12-01T00:00:00Z"],
])("%s needs --emulator", async (...args) => {
	const { code, stderr } = await runPartnerwire(["serve", ...args]);
	expect([code, stderr]).toEqual([
		2,
		expect.stringContaining("add --emulator"),
	]);
});
