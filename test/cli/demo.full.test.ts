import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@partnerwire/sdk";
import { expect, test } from "vitest";
import { startDemoService } from "../kit/program/demo-service.ts";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";
import { ROOT } from "../kit/sources.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const ONCE = ["demo", "--once", "--port", "0"];

test("demo --once tells the whole story and exits 0", async () => {
	const { code, stdout, stderr } = await runPartnerwire([...ONCE, "--json"]);
	expect([code, stderr]).toEqual([0, ""]);
	const lines = stdout
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line));
	const of = (name: string) => lines.filter(({ event }) => event === name);
	expect(lines.map(({ event }) => event)).toEqual([
		...["seeded", "ready", "integration"],
		...["step", "received"],
		...["step", "received", "received"],
		...["step", "received"],
		...["step", "waiting", "received"],
		...["step", "waiting", "received", "received"],
		...["step", "ledger"],
	]);
	expect(of("step").map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6]);
	expect(
		of("received").map(({ outcome, claims }) => [
			claims.sequence,
			outcome,
			claims.event_id,
		]),
	).toEqual([
		[1, "handled", "lead_created"],
		[2, "handled", "deal_created"],
		[3, "handled", "lead_note_created"],
		[1, "duplicate", "lead_created"],
		[4, "handled", "lead_updated"],
		[5, "handled", "deal_updated"],
		[6, "handled", "deal_updated"],
	]);
	const [failed, held] = of("waiting");
	expect(failed).toMatchObject({
		status: "pending",
		explanation: expect.stringMatching(/answered 500.* by the retry schedule/),
	});
	expect(held).toMatchObject({
		status: "held",
		explanation: expect.stringContaining("CRM upgrade"),
	});
	expect(of("ledger")).toMatchObject([
		{ matched: 6, delivered: 6, balanced: true },
	]);
});

test("the commands that the demo prints work as they are printed, and it shows what they send", async () => {
	const temp = join(createTempFolder(), "temp");
	mkdirSync(temp);
	const demo = startPartnerwire(["demo", "--port", "0"], {
		env: { TMPDIR: temp },
	});
	let printed = "";
	demo.child.stdout?.on("data", (chunk) => {
		printed += String(chunk);
	});
	await expect.poll(() => printed).toContain("Ctrl-C stops the demo");
	const commands = printed.match(/^ {2}(export|npx partnerwire) .*$/gm) ?? [];
	expect(commands).toHaveLength(4);
	const { npm_lifecycle_event: _, ...env } = process.env;
	const { stdout } = await promisify(execFile)(
		"bash",
		["-c", `set -e\n${commands.join("\n")}`],
		{ cwd: ROOT, env },
	);
	// `deliveries show`, `integration test`, `deliveries list`.
	expect(stdout).toMatch(/lead_updated #4 .*Attempt 1 .*answered 500/s);
	expect(stdout).toMatch(/POST http.*lead_created\n200 in /);
	expect(stdout).toMatch(/ delivered +deal_updated {2}#6\n/);
	await expect.poll(() => printed).toMatch(/200 handled {2}lead_created/);

	const [, url] = /live: +(http\S+)/.exec(printed) ?? [];
	const [, api_key] = /this API key: +(pwk_\S+)/.exec(printed) ?? [];
	const page = await fetch(String(url), { headers: { accept: "text/html" } });
	expect([page.status, await page.text()]).toEqual([
		200,
		expect.stringContaining("<html"),
	]);
	const signedIn = await fetch(new URL("/_admin/session", url), {
		method: "POST",
		headers: {
			"content-type": "application/json",
			origin: new URL(String(url)).origin,
		},
		body: JSON.stringify({ api_key }),
	});
	expect(signedIn.status).toBe(200);
	expect(await demo.stop("SIGINT")).toBe(0);
	expect(readdirSync(temp)).toEqual([]);
});

test("on a database of the user, the demo shows its keys once, and leaves nothing that goes on failing", async () => {
	const folder = createTempFolder();
	const database = join(folder, "test.db");
	const [first, second] = [
		await runPartnerwire([...ONCE, "--database", database]),
		await runPartnerwire([...ONCE, "--database", database]),
	];
	expect([first.code, first.stderr]).toEqual([0, ""]);
	expect([second.code, second.stderr]).toEqual([0, ""]);
	expect(second.stdout).not.toContain("pwk_");
	const [, full] = /^ {2}full +(pwk_\S+)$/m.exec(first.stdout) ?? [];

	const { url } = await startDemoService(folder, {
		keys: { read: "", write: "", full: String(full) },
	});
	const client = createClient({ baseUrl: url, apiKey: String(full) });
	expect((await client.listIntegrations()).data).toMatchObject(
		Array.from({ length: 2 }, () => ({
			label: "Demo receiver",
			status: "paused",
			pause_reason: "the demo has ended",
		})),
	);
});

test("a demo that is stopped in the middle of its story ends in order", async () => {
	const demo = startPartnerwire(["demo", "--port", "0", "--json"]);
	await demo.line("waiting");
	const exited = once(demo.child, "exit");
	demo.child.kill("SIGINT");
	expect(await exited).toEqual([0, null]);
});
