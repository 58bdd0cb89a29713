import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { expect, test } from "vitest";
import { createOutput } from "../../admin/src/cli/output/output.ts";
import { createProgress } from "../../admin/src/cli/output/progress.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const EVIL = "\u001b[2J\n\u202e";

type Wrong = [
	exit: number,
	code: string,
	args: string[],
	env?: Record<string, string>,
];
const WRONG: Wrong[] = [
	[2, "usage", ["serve", "--prot", "3", "--json"]],
	[2, "usage", ["serve", "--json=true", EVIL]],
	[2, "usage", ["serve", EVIL], { PARTNERWIRE_JSON: "1" }],
	[2, "usage", ["trigger", EVIL, "--url", "x", "--secret", "s", "--json"]],
	[2, "usage", ["secrets", "rekey", "--yes=no", "--json"]],
	[1, "failed", ["backup", "x.db", "--database", "nowhere.db", "--json"]],
	[1, "failed", ["token", "inspect", EVIL, "--json"]],
	[1, "database_unreadable", ["serve", "--database", "no/x.db", "--json"]],
];

test.each(WRONG)(
	"exit %i, code %s: %j is one line of JSON",
	async (exit, code, args, env = {}) => {
		const ended = await runPartnerwire(args, { cwd: createTempFolder(), env });
		expect([ended.code, ended.stdout]).toEqual([exit, ""]);
		expect(ended.stderr).toMatch(/^[\x20-\x7e]+\n$/);
		expect(JSON.parse(ended.stderr)).toEqual({
			event: "error",
			code,
			message: expect.any(String),
		});
	},
);

test("for people no message speaks to the terminal, and --no-json is for people", async () => {
	const ended = await runPartnerwire([
		"token",
		"sign",
		"--secret",
		"s",
		"--event",
		EVIL,
		"--no-json",
	]);
	expect(ended.code).toBe(2);
	expect(ended.stderr.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
	expect(ended.stderr).toMatch(/^partnerwire: /);
});

test.each<Record<string, string>>([
	{ PARTNERWIRE_WEBHOOK_SECRET: TEST_SECRET },
	{ PARTNERWIRE_SECRET: TEST_SECRET },
	{ PARTNERWIRE_WEBHOOK_SECRET: TEST_SECRET, PARTNERWIRE_SECRET: "other" },
])("%o is the secret where --secret is not given", async (env) => {
	const signed = await runPartnerwire(["token", "sign"], { env });
	const token = signed.stdout.trim();
	const valid = await runPartnerwire(["token", "inspect", token, "--json"], {
		env,
	});
	expect(JSON.parse(valid.stdout)).toMatchObject({ verdict: "valid" });
	const other = await runPartnerwire(
		["token", "inspect", token, "--secret", "other"],
		{ env },
	);
	expect(other.code).toBe(1);
	for (const args of [
		["token", "sign"],
		["listen"],
		["trigger", "lead_created", "--url", "http://127.0.0.1:9"],
		["torture", "http://127.0.0.1:9"],
	]) {
		const { code, stderr } = await runPartnerwire(args);
		expect([code, stderr]).toEqual([
			2,
			expect.stringContaining(
				"set PARTNERWIRE_WEBHOOK_SECRET, or give --secret",
			),
		]);
	}
});

test("an integration's id in place of its secret is warned of", async () => {
	const given = ["--secret", "0197a4a0-0000-7000-8000-00000000c001"];
	const { code, stderr } = await runPartnerwire(["token", "sign", ...given]);
	expect([code, stderr]).toEqual([
		0,
		expect.stringContaining("looks like an integration's id"),
	]);
});

test("a progress line is gone before a line is written", () => {
	const written: string[] = [];
	const stream = { isTTY: true, write: (text: string) => written.push(text) };
	const progress = createProgress(stream as unknown as NodeJS.WriteStream);
	const output = createOutput(false, (text) => written.push(text));
	progress.show("1 of 2");
	output.tell("one");
	output.tell("two");
	progress.show("2 of 2");
	progress.end();
	progress.end();
	const clear = "\r\u001b[2K";
	expect(written).toEqual([
		`${clear}1 of 2`,
		clear,
		"one\n",
		"two\n",
		`${clear}2 of 2`,
		clear,
	]);
});
