import { EVENT_IDS } from "@partnerwire/wire";
import { describe, expect, test } from "vitest";
import { commands, loadCommands } from "../../admin/src/cli/commands.ts";
import { hasColours } from "../../admin/src/cli/output/output.ts";
import { renderHelp } from "../../admin/src/cli/output/show-help.ts";
import { listFlags } from "../../admin/src/cli/refuse-misspelt.ts";
import { eventId } from "../../admin/src/cli/settings/readers.ts";
import { suggest } from "../../admin/src/cli/suggest.ts";
import { UsageError } from "../../admin/src/cli/usage-error.ts";

const all = (await loadCommands()).map(({ command, words }) => ({
	name: words.join(" "),
	words,
	command,
	args: command.args ?? {},
	isGroup: command.subCommands !== undefined,
}));
const single = all.filter(({ isGroup }) => !isGroup);

/** Splits a command line into words, with quotes. */
const split = (line: string) =>
	[...line.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word);

/** Swaps two letters. */
const transpose = (word: string, at: number) =>
	word.slice(0, at) +
	(word[at + 1] ?? "") +
	(word[at] ?? "") +
	word.slice(at + 2);

test("the commands are found", () => {
	expect(single.length).toBeGreaterThan(30);
	expect(all.map(({ name }) => name)).toEqual(
		expect.arrayContaining([...Object.keys(commands), "secrets rekey"]),
	);
});

test.each(all)(
	"$name says what it does, and shows itself in use",
	async ({ name, words, command }) => {
		const { meta } = command as {
			meta: { name: string; description: string };
		};
		expect(meta.name).toBe(words.at(-1));
		expect(meta.description.length).toBeGreaterThan(5);
		expect(command.examples.length).toBeGreaterThan(0);
		const help = await renderHelp(command, words);
		expect(help).toContain(`USAGE partnerwire ${name}`);
		for (const example of command.examples) expect(help).toContain(example);
		expect(help).not.toContain("\u001b");
		expect(help).not.toMatch(/ $/m);
	},
);

describe.each(single)("$name", ({ words, command, args }) => {
	test("its examples are right", () => {
		for (const example of command.examples) {
			const line = /partnerwire [^)>|]*/.exec(example)?.[0].trim() ?? "";
			const [program, ...given] = split(line);
			expect(program).toBe("partnerwire");
			expect(given.slice(0, words.length)).toEqual(words);
			const rest = given.slice(words.length);
			expect(() => command.check?.(rest), example).not.toThrow();
			for (const [flag, { type, required }] of Object.entries(args))
				if (type !== "positional" && required === true)
					expect(rest, example).toContain(`--${flag}`);
		}
	});

	test("has --json, --no-color, and a word on each flag", () => {
		expect(listFlags(args)).toEqual(
			expect.arrayContaining(["--json", "--no-color"]),
		);
		for (const [flag, { description }] of Object.entries(args))
			expect(description?.length, flag).toBeGreaterThan(1);
	});

	test("suggests the right flag for each misspelt one", () => {
		for (const flag of listFlags(args)) {
			const wrong = transpose(flag, flag.length - 2);
			if (wrong === flag || listFlags(args).includes(wrong)) continue;
			const check = () => command.check?.([wrong, "x"]);
			expect(check, wrong).toThrow(UsageError);
			expect(check, wrong).toThrow(`unknown flag ${wrong}; did you mean --`);
		}
		expect(() => command.check?.(["--qqqqqqqqqq"])).toThrow("known: --");
	});

	test("misses the value of each flag that needs one", () => {
		for (const [flag, { type }] of Object.entries(args)) {
			if (type !== "string") continue;
			for (const rest of [[], ["--json"]])
				expect(() => command.check?.([`--${flag}`, ...rest])).toThrow(
					`--${flag} needs a value`,
				);
			expect(() => command.check?.([`--no-${flag}`])).toThrow("unknown flag");
			expect(() => command.check?.([`--${flag}`, "-1"])).not.toThrow();
			expect(() => command.check?.([`--${flag}=--x`])).not.toThrow();
		}
	});
});

test("each misspelt command, subcommand and event id has the right one suggested", () => {
	const known = [
		Object.keys(commands),
		...all
			.filter(({ isGroup }) => isGroup)
			.map(({ command }) => Object.keys(command.subCommands ?? {})),
		EVENT_IDS,
	];
	for (const words of known)
		for (const word of words)
			for (const wrong of [
				word.slice(0, -1),
				transpose(word, word.length - 3),
				word.toUpperCase(),
			]) {
				if (words.includes(wrong)) continue;
				// A name that is part of another, such as replay of replays, may be nearer.
				const meant = suggest(wrong, words) ?? "none";
				expect([wrong, word.startsWith(meant)]).toEqual([wrong, true]);
			}
	expect(suggest("zzzzzz", EVENT_IDS)).toBe(undefined);
	expect(() => eventId("lead_craeted", "--event")).toThrow(
		"there is no event lead_craeted; did you mean lead_created? known: ",
	);
	expect(() => eventId("\u001b[2J", "--event")).toThrow("\\u001b[2J");
});

/** Names and flags that users rely on. They must stay. */
const DESIGN: Record<string, string> = {
	serve:
		"port host database demo dev worker allow-http allow-private retry-schedule rate-limit json",
	worker: "database",
	demo: "once",
	listen: "secret port forward fail delay status json",
	trigger: "event url secret set count exact json",
	torture: "url secret json",
	"token sign": "secret",
	"token inspect": "token secret",
	"company create": "name",
	"company module": "id state",
	"user create": "email",
	"key create": "label",
	"key list": "json",
	"key revoke": "uuid",
	"integration create": "label",
	"integration list": "json",
	"integration pause": "id",
	"integration resume": "id",
	"integration test": "id",
	"integration rotate": "id",
	"integration reveal": "id",
	"deliveries list": "status",
	"deliveries show": "id",
	"deliveries redeliver": "id",
	"deliveries skip": "id",
	"deliveries replay": "integration",
	"deliveries purge": "integration",
	ledger: "json",
	"secrets rekey": "database",
};
test.each(Object.entries(DESIGN))(
	"%s is there as designed: %s",
	(name, flags) => {
		const found = single.find((each) => each.name === name);
		expect(Object.keys(found?.args ?? {})).toEqual(
			expect.arrayContaining(flags.split(" ")),
		);
	},
);

const TTY = { isTTY: true };
test.each([
	["a terminal", TTY, { TERM: "xterm" }, [], true],
	["NO_COLOR", TTY, { TERM: "xterm", NO_COLOR: "1" }, [], false],
	["an empty NO_COLOR", TTY, { TERM: "xterm", NO_COLOR: "" }, [], true],
	["--no-color", TTY, { TERM: "xterm" }, ["--no-color"], false],
	["a dumb terminal", TTY, { TERM: "dumb" }, [], false],
	["a file", {}, { TERM: "xterm" }, [], false],
	["a build server's file", {}, { CI: "1", GITHUB_ACTIONS: "1" }, [], false],
	["a file with FORCE_COLOR", {}, { FORCE_COLOR: "1" }, [], true],
	["FORCE_COLOR=0", TTY, { TERM: "xterm", FORCE_COLOR: "0" }, [], false],
	[
		"NO_COLOR before FORCE_COLOR",
		TTY,
		{ NO_COLOR: "1", FORCE_COLOR: "1" },
		[],
		false,
	],
] as const)("colours: %s", (_, stream, env, args, expected) => {
	expect(hasColours(stream, env, args)).toBe(expected);
});
