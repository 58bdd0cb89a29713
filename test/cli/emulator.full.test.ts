import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { expect, test } from "vitest";
import { type Found, loadCommands } from "../../admin/src/cli/commands.ts";
import { TAKEN } from "../../admin/src/cli/run-emulator.ts";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const start = async (...args: string[]) => {
	const cwd = createTempFolder();
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
	const path = join(createTempFolder(), "seed.json");
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
	const cwd = createTempFolder();
	const { code, stderr, stdout } = await runPartnerwire(
		["serve", "--emulator", "--port", "0", ...args],
		{ cwd },
	);
	expect([code, stdout]).toEqual([2, ""]);
	expect(stderr).toContain(said);
	expect(await readdir(cwd)).toEqual([]);
});

/** A value for each variable of `serve` that an emulator ignores. The last three would open it to others or stop its deliveries. */
const NOT_FOLLOWED: Record<string, string> = {
	DATABASE: "mine.db",
	SECRET_KEY: "0".repeat(64),
	RATE_LIMIT_STORE: "memory",
	TRUST_PROXY: "127.0.0.1",
	CORS_ORIGIN: "https://a.example",
	ALLOW_NETWORK: "10.0.0.0/8",
	CA: "ca.pem",
	LOG_LEVEL: "debug",
	ALERT_URL: "https://ops.example/alerts",
	ALERT_SECRET: "0123456789abcdef",
	ALERT_AGE: "5",
	ALERT_EVERY: "5",
	METRICS_TOKEN: "0123456789abcdef",
	DEMO: "1",
};
const REFUSED: Record<string, string> = {
	HOST: "0.0.0.0",
	PUBLIC_URL: "https://a.example",
	NO_WORKER: "1",
};
const withPrefix = (variables: Record<string, string>) =>
	Object.fromEntries(
		Object.entries(variables).map(([name, value]) => [
			`PARTNERWIRE_${name}`,
			value,
		]),
	);

test("variables that it does not follow are named, each of them, and touch nothing", async () => {
	const cwd = createTempFolder();
	const env = {
		...withPrefix(NOT_FOLLOWED),
		// The emulator uses it, or it is no variable of `serve`.
		...withPrefix({ PASS_AFTER: "5", DEV: "1", API_KEY: "x", URL: "http://x" }),
	};
	const emulator = startPartnerwire(
		["serve", "--emulator", "--port", "0", "--json"],
		{ cwd, env },
	);
	const warned = once(emulator.child.stderr as Readable, "data");
	await emulator.line("ready");
	const { event, message } = JSON.parse(String((await warned)[0]));
	expect(event).toBe("warning");
	expect(message.match(/PARTNERWIRE_\w+/g).sort()).toEqual(
		Object.keys(withPrefix(NOT_FOLLOWED)).sort(),
	);
	expect(await emulator.stop()).toBe(0);
	expect(await readdir(cwd)).toEqual([]);
});

test.each(Object.entries(REFUSED))(
	"PARTNERWIRE_%s is refused by its own name",
	async (name, value) => {
		const { code, stderr } = await runPartnerwire(
			["serve", "--emulator", "--port", "0"],
			{ cwd: createTempFolder(), env: withPrefix({ [name]: value }) },
		);
		expect([code, stderr]).toEqual([
			2,
			expect.stringContaining(`unset PARTNERWIRE_${name}`),
		]);
	},
);

test("each flag of serve is followed, or has a variable that is named or refused here", async () => {
	const { command } = (await loadCommands()).find(
		({ words }) => words.join() === "serve",
	) as Found;
	const flags = Object.keys(command.args ?? {});
	const tried = [...Object.keys(NOT_FOLLOWED), ...Object.keys(REFUSED)].map(
		(name) => name.toLowerCase().replaceAll("_", "-"),
	);
	expect(
		new Set([...flags.filter((flag) => TAKEN.has(flag)), ...tried]),
	).toEqual(new Set([...flags, "secret-key", "no-worker"]));
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
