import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import {
	afterAll,
	beforeAll,
	describe,
	expect,
	onTestFinished,
	test,
} from "vitest";
import { loadCommands } from "../../admin/src/cli/commands.ts";
import type { Flags } from "../../admin/src/cli/settings/flag.ts";
import {
	type CommandWorld,
	openCommandWorld,
} from "../kit/program/command-world.ts";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";

/*
 * Runs the examples of every command in the command tree. A new command is tested without being named here, if its examples use only
 * names that `command-world.ts` knows.
 */
const commands = (await loadCommands())
	.filter(({ command }) => command.subCommands === undefined)
	.map(({ command, words }) => ({
		name: words.join(" "),
		words,
		args: command.args ?? {},
		examples: command.examples,
	}));

/** Commands that run until a signal ends them. */
const isStayingUp = (words: readonly string[]) =>
	/^(serve|worker|demo|listen)$/.test(words[0] ?? "") &&
	!words.includes("--once");

const run = promisify(execFile);
let world: CommandWorld;
beforeAll(async () => {
	world = await openCommandWorld();
}, 300_000);
afterAll(() => world?.close());

/** The words of an example, without the program and without redirections and pipes. */
async function readExample(example: string, args: Flags) {
	const line = /partnerwire ([^)>|]*)/.exec(example)?.[1]?.trim() ?? "";
	const words = [...line.matchAll(/"([^"]*)"|\S+/g)].map(
		([word, quoted]) => quoted ?? word,
	);
	return [
		...(await world.fill(words)),
		...("port" in args ? ["--port", "0"] : []),
	];
}

const linesOf = (text: string) =>
	text
		.split("\n")
		.filter(Boolean)
		.map((line) => JSON.parse(line) as Record<string, unknown>);

const EXAMPLES = commands.flatMap(({ args, examples }) =>
	examples.map((example) => [example, args] as const),
);

test.each(EXAMPLES)(
	"with --json, it says JSON and exits 0: %s",
	async (example, args) => {
		const words = [...(await readExample(example, args)), "--json"];
		const options = { cwd: world.openFolder(), env: world.env };
		if (isStayingUp(words)) {
			const started = startPartnerwire(words, options);
			expect(await started.line("ready")).toMatchObject({
				pid: started.child.pid,
			});
			return expect(await started.stop()).toBe(0);
		}
		const ended = await runPartnerwire(words, options);
		expect([ended.code, ended.stderr]).toEqual([0, ""]);
		const lines = linesOf(ended.stdout);
		expect(lines.length).toBeGreaterThan(0);
		for (const line of lines) expect(line).toBeTypeOf("object");
	},
);

// For commands that stay up see test/faults/unwritable-output.full.test.ts.
const ENDING = EXAMPLES.filter(
	([example]) => !isStayingUp(example.split(" ").slice(1)),
);
test.each(ENDING)(
	"with its output closed, it ends as usual and says nothing: %s",
	async (example, args) => {
		const words = [...(await readExample(example, args)), "--json"];
		const options = { cwd: world.openFolder(), env: world.env };
		const ended = await runPartnerwire(words, { ...options, isClosed: true });
		expect(ended).toEqual({ code: 0, stdout: "", stderr: "" });
	},
);

test.each((await loadCommands()).map(({ words }) => [words]))(
	"help of %j goes to a closed pipe without a word, and to a full disk with one",
	async (words) => {
		const help = [...words, "--help"];
		const closed = await runPartnerwire(help, { isClosed: true });
		expect(closed).toEqual({ code: 0, stdout: "", stderr: "" });
		const full = await runPartnerwire(help, { redirect: ">/dev/full" });
		expect([full.code, full.stderr]).toEqual([
			1,
			"partnerwire: the output cannot be written (ENOSPC)\n",
		]);
	},
);

test.each(commands.map((command) => [command.name, command] as const))(
	"without a terminal, %s speaks to people without colours",
	async (_, { args, examples }) => {
		const [first = ""] = examples;
		const words = (await readExample(first, args)).filter(
			(word) => word !== "--json",
		);
		const options = {
			cwd: world.openFolder(),
			// Only the missing terminal is the reason.
			env: { ...world.env, NO_COLOR: "", TERM: "xterm-256color" },
		};
		if (isStayingUp(words)) {
			const started = startPartnerwire(words, options);
			const [said] = await once(
				started.child.stdout as NodeJS.ReadableStream,
				"data",
			);
			expect(String(said)).not.toContain("\u001b");
			return expect(await started.stop()).toBe(0);
		}
		const ended = await runPartnerwire(words, options);
		expect([ended.code, ended.stderr]).toEqual([0, ""]);
		expect(ended.stdout).not.toBe("");
		expect(ended.stdout).not.toContain("\u001b");
		// A token, a key or a script is printed in the same way with and without --json.
		expect(() => linesOf(ended.stdout)).toThrow();
	},
);

const UNKNOWN = "0190b1e0-0000-7000-8000-000000000000";
const NOWHERE = "http://127.0.0.1:9/hook";

/** A possible error of a command: its code, and the arguments that cause it, in addition to the first example. */
function listFailures({ name, args }: (typeof commands)[number]) {
	const has = (flag: string) => args[flag] !== undefined;
	const failures: [code: string, flags: string[]][] = [];
	if (has("api-key"))
		failures.push(
			["unauthorized", ["--api-key", "pwk_wrong"]],
			["failed", ["--url", NOWHERE.replace("/hook", "")]],
		);
	else if (has("database"))
		failures.push([".+", ["--database", join("nowhere", "x.db")]]);
	else if (has("from"))
		failures.push([".+", ["--from", join("nowhere", "x.db")]]);
	else if (has("url") && args.url?.type !== "positional")
		failures.push(["failed", ["--url", NOWHERE]]);
	if (name === "listen") failures.push(["failed", ["--port", "BUSY"]]);
	return failures;
}

/** Commands that cannot fail. */
const NEVER_FAIL = ["token sign", "completion"];
/** Commands whose only argument is wrong. */
const WRONG_ARGUMENT: Record<string, string[]> = {
	torture: [NOWHERE, "--secret", "s"],
	"token inspect": ["no-token"],
	...Object.fromEntries(
		commands
			.filter(({ args }) => "api-key" in args && args.id?.type === "positional")
			.map(({ name }) => [name, [UNKNOWN]]),
	),
	// Nothing is rotated unless it is said when.
	"integration rotate": [UNKNOWN, "--now"],
};

async function openBusyPort(): Promise<string> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => void server.close());
	return String((server.address() as AddressInfo).port);
}

describe.each(commands.map((command) => [command.name, command] as const))(
	"%s",
	(name, command) => {
		const failures = listFailures(command);

		const expectError = async (
			words: string[],
			status: number,
			code: string,
		) => {
			const ended = await runPartnerwire([...words, "--json"], {
				cwd: world.openFolder(),
				env: world.env,
			});
			expect(ended.code).toBe(status);
			// An attempt that was made is printed too.
			linesOf(ended.stdout);
			expect(linesOf(ended.stderr)).toEqual([
				{
					event: "error",
					code: expect.stringMatching(new RegExp(`^${code}$`)),
					message: expect.stringMatching(/./),
				},
			]);
		};

		test("used wrongly exits 2 with a line of JSON", () =>
			expectError([...command.words, "--qqqq"], 2, "usage"));

		test("fails with exit code 1 and a line of JSON", async () => {
			const example = await readExample(
				command.examples[0] as string,
				command.args,
			);
			for (const [code, flags] of failures) {
				const busy = flags.includes("BUSY") ? await openBusyPort() : "";
				const given = flags.map((flag) => (flag === "BUSY" ? busy : flag));
				await expectError([...example, ...given], 1, code);
			}
			const wrong = WRONG_ARGUMENT[name];
			if (wrong)
				await expectError([...command.words, ...wrong], 1, "not_found|failed");
			expect(failures.length > 0 || wrong !== undefined).toBe(
				!NEVER_FAIL.includes(name),
			);
		});
	},
);

test.each([
	["a terminal has colours", {}, [], true],
	["NO_COLOR takes them away", { NO_COLOR: "1" }, [], false],
	["so does --no-color", {}, ["--no-color"], false],
] as const)("%s", async (_, env, flags, expected) => {
	const bin = join(import.meta.dirname, "../../admin/bin/partnerwire.js");
	const command = [process.execPath, bin, "ledger", ...flags].join(" ");
	// `script` gives the command a terminal. The service that it calls is in this process.
	const inTerminal = ["-qec", command, "/dev/null"];
	const { stdout: said } = await run("script", inTerminal, {
		env: {
			PATH: process.env.PATH,
			TERM: "xterm-256color",
			...world.env,
			...env,
		},
	});
	expect(said).toContain("CRM");
	expect(said.includes("\u001b[")).toBe(expected);
});
