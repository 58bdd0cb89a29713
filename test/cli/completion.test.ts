import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { EVENT_IDS } from "@partnerwire/wire";
import { expect, test } from "vitest";
import { listSpots } from "../../admin/src/cli/completion/list-spots.ts";
import { toBash } from "../../admin/src/cli/completion/to-bash.ts";
import { toFish } from "../../admin/src/cli/completion/to-fish.ts";
import { toZsh } from "../../admin/src/cli/completion/to-zsh.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const spots = await listSpots();

/** The words that bash offers after each of these lines, whose last word is not complete. */
async function completeInBash(lines: readonly string[][]): Promise<string[][]> {
	const cwd = createTempFolder();
	writeFileSync(join(cwd, "seed.json"), "{}");
	const asked = lines.map((words) => {
		const quoted = words.map((word) => `'${word}'`).join(" ");
		return `COMP_WORDS=(partnerwire ${quoted}); COMP_CWORD=${words.length}; _partnerwire; echo "\${COMPREPLY[*]}"`;
	});
	const script = [toBash(spots), "complete -p partnerwire >&2", ...asked];
	const child = spawn("bash", ["--norc", "-u"], {
		cwd,
		stdio: ["pipe", "pipe", "pipe"],
	});
	child.stdin.end(script.join("\n"));
	const [printed, errors] = await Promise.all([
		text(child.stdout),
		text(child.stderr),
		once(child, "exit"),
	]);
	expect(errors).toBe("complete -F _partnerwire partnerwire\n");
	return printed
		.trimEnd()
		.split("\n")
		.map((line) => line.split(" ").filter(Boolean));
}

test("bash completes every command, subcommand, flag and value", async () => {
	const lines = spots.map(({ words }) => [
		...words.split(" ").filter(Boolean),
		"",
	]);
	const flags = spots.map(({ words }) => [
		...words.split(" ").filter(Boolean),
		"--",
	]);
	const offered = await completeInBash([...lines, ...flags]);
	for (const [index, spot] of spots.entries()) {
		const names = spot.flags.map(({ word }) => word);
		expect(offered[index], spot.words).toEqual([
			...spot.commands.map(({ word }) => word),
			...names,
			...spot.arguments,
		]);
		expect(offered[spots.length + index], spot.words).toEqual(names);
	}
});

test("bash completes what was begun, and values", async () => {
	expect(
		await completeInBash([
			["se"],
			["key", "c"],
			["trigger", "lead_note"],
			["integration", "test", "ID", "--event", "deal_d"],
			["serve", "--emulator", "--seed", "see"],
			["serve", "--port", "80", "--retry"],
			["company", "module", ""],
			["nothing", "se"],
		]),
	).toEqual([
		["serve", "secrets"],
		["create"],
		EVENT_IDS.filter((id) => id.startsWith("lead_note")),
		["deal_deleted"],
		["seed.json"],
		["--retry-schedule"],
		expect.arrayContaining(["api_mcp", "co_selling"]),
		["serve", "secrets"],
	]);
});

test.each([
	["zsh", toZsh],
	["fish", toFish],
] as const)("%s has every command and flag", (_, toScript) => {
	const script = toScript(spots);
	for (const { commands, flags } of spots) {
		for (const { word } of commands) expect(script).toContain(word);
		for (const { word } of flags) expect(script).toContain(word.slice(2));
	}
	for (const id of EVENT_IDS) expect(script).toContain(id);
});

test("the command prints the script of the shell", async () => {
	const { code, stdout } = await runPartnerwire(["completion", "bash"]);
	expect([code, stdout]).toEqual([0, `${toBash(spots)}\n`]);
});
