import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createReceiver } from "@partnerwire/receiver";
import { toNodeHandler } from "@partnerwire/receiver/node";
import { expect, test } from "vitest";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { listen } from "../torture/targets.ts";
import { createConflictsOnCopies } from "../torture/wrong-receivers/conflicts-on-copies.ts";

const secret = randomUUID();
const torture = (url: string | URL, ...args: string[]) =>
	runPartnerwire(["torture", String(url), "--secret", secret, ...args]);

test("a right receiver passes: one JSON object for each check, then the verdict, exit 0", async () => {
	const receiver = createReceiver({ secret, bodyTimeoutMs: 400 });
	const url = await listen(createServer(toNodeHandler(receiver)));
	const { code, stdout, stderr } = await torture(url, "--json");
	expect([code, stderr]).toEqual([0, ""]);
	const lines = stdout.trimEnd().split("\n");
	const objects = lines.map((line) => JSON.parse(line));
	expect(objects[0]).toMatchObject({
		check: "delivery/right",
		level: "must",
		passed: true,
		expected: "200",
		answered: "200",
		advice: null,
	});
	expect(objects.at(-1)).toEqual({
		event: "verdict",
		passed: objects.length - 1,
		failed: 0,
		warned: 0,
		skipped: 0,
	});
	expect(stdout).not.toContain(secret);
});

test("a wrong receiver: each fault in words with advice, exit 1, and no secret", async () => {
	const url = await listen(createConflictsOnCopies(secret, 400));
	const { code, stdout, stderr } = await torture(url);
	expect(code).toBe(1);
	expect(stderr).toMatch(/^partnerwire: \d+ of \d+ checks failed\n$/);
	expect(stdout).toContain("pass  delivery/right");
	expect(stdout).toContain("FAIL  duplicate/same");
	expect(stdout).toContain("answered 409, expected 200 (spec, Delivery");
	expect(stdout).toContain("Answer a copy of what you have done with 200");
	expect(stdout + stderr).not.toContain(secret);
});

test("a receiver with another secret: it ends after the first check and says what is likely", async () => {
	const receiver = createReceiver({ secret: randomUUID(), log: () => {} });
	const url = await listen(createServer(toNodeHandler(receiver)));
	const { code, stdout } = await torture(url);
	expect(code).toBe(1);
	expect(stdout).toContain("Is the secret that of the receiver?");
	expect(stdout).toMatch(/0 passed, 1 failed, 0 warned, \d+ not tried/);
});

test("nothing listens there: one sentence, exit 1", async () => {
	const { code, stderr, stdout } = await torture("http://127.0.0.1:9/hook");
	expect(code).toBe(1);
	expect(stderr).toMatch(
		/cannot connect to http:\/\/127\.0\.0\.1:9: .*REFUSED/,
	);
	expect(stdout).toBe("");
});

test.each([
	[
		"http://receiver.example/hook",
		[],
		/is not this machine.*--allow-host receiver\.example/,
	],
	[
		"http://10.0.0.1/",
		["--allow-host", "10.0.0.2"],
		/--allow-host 10\.0\.0\.1/,
	],
	["http://127.0.0.1.evil.example/", [], /is not this machine/],
	["ftp://127.0.0.1/", [], /must be an http: or https: URL/],
	["http://a:b@127.0.0.1/", [], /without a user and password/],
	["hook", [], /must be an http: or https: URL/],
])("%s %j is used wrongly: exit 2", async (url, args, said) => {
	const { code, stderr, stdout } = await torture(url, ...args);
	expect(stderr).toMatch(said);
	expect([code, stdout]).toEqual([2, ""]);
});
