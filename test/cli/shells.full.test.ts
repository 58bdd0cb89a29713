import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MODULE_IDS } from "@partnerwire/contract";
import { EVENT_IDS } from "@partnerwire/wire";
import { describe, expect, test } from "vitest";
import {
	listSpots,
	type Spot,
} from "../../admin/src/cli/completion/list-spots.ts";
import { toFish } from "../../admin/src/cli/completion/to-fish.ts";
import { toZsh } from "../../admin/src/cli/completion/to-zsh.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const spots = await listSpots();
const folder = createTempFolder();
const fishScript = join(folder, "partnerwire.fish");
writeFileSync(fishScript, toFish(spots));
writeFileSync(join(folder, "_partnerwire"), toZsh(spots));
writeFileSync(join(folder, "seed.json"), "{}");

const run = (program: string, ...args: string[]): string =>
	execFileSync(program, args, {
		cwd: folder,
		encoding: "utf8",
		// The user's own configuration files are not read.
		env: { PATH: process.env.PATH, HOME: folder, LC_ALL: "C.UTF-8" },
	});

/** The words that the shell offers at the end of each line. */
type Complete = (lines: readonly string[]) => string[][];

const completeInZsh: Complete = (lines) => {
	const script = join(import.meta.dirname, "complete-in-zsh.zsh");
	const printed = run("zsh", "-f", script, folder, ...lines);
	return printed
		.split(/^\n/m)
		.slice(0, lines.length)
		.map((offers) => offers.split("\n").filter(Boolean));
};

const completeInFish: Complete = (lines) => {
	const asked = lines.map((line) => `complete -C '${line}'; echo`);
	const script = [`source ${fishScript}`, ...asked].join("\n");
	const printed = run("fish", "--no-config", "-c", script);
	return printed
		.split(/^\n/m)
		.slice(0, lines.length)
		.map((offers) =>
			offers
				.split("\n")
				.filter(Boolean)
				.map((offer) => offer.split("\t")[0] as string),
		);
};

const lineOf = ({ words }: Spot, last: string) =>
	["partnerwire", words, last].filter((word, at) => at !== 1 || word).join(" ");

describe.each([
	["zsh", completeInZsh],
	["fish", completeInFish],
] as const)("%s", (shell, complete) => {
	const expectOffers = (
		cases: readonly (readonly [string, readonly string[]])[],
	) => {
		const offered = complete(cases.map(([line]) => line));
		expect(cases.map(([line], at) => [line, offered[at]?.toSorted()])).toEqual(
			cases.map(([line, words]) => [line, words.toSorted()]),
		);
	};

	test("offers every command, subcommand, flag and argument where it belongs", () => {
		const flagsOf = ({ flags }: Spot) => flags.map(({ word }) => word);
		expectOffers([
			...spots.map((spot) => {
				const words = [
					...spot.commands.map(({ word }) => word),
					...spot.arguments,
				];
				// fish offers flags only after a dash.
				const flags = shell === "zsh" ? flagsOf(spot) : [];
				return [lineOf(spot, ""), [...words, ...flags]] as const;
			}),
			...spots.map((spot) => [lineOf(spot, "--"), flagsOf(spot)] as const),
		]);
	});

	test("completes what was begun, and values", () => {
		expectOffers([
			["partnerwire se", ["serve", "secrets"]],
			["partnerwire key c", ["create"]],
			[
				"partnerwire trigger lead_note",
				EVENT_IDS.filter((id) => id.startsWith("lead_note")),
			],
			["partnerwire integration test ID --event deal_d", ["deal_deleted"]],
			["partnerwire serve --emulator --seed see", ["seed.json"]],
			["partnerwire serve --port 80 --retry", ["--retry-schedule"]],
			[
				"partnerwire company module co",
				MODULE_IDS.filter((id) => /^co/.test(id)),
			],
			["partnerwire serve --no-", ["--no-color", "--no-worker"]],
		]);
	});
});

test("zsh: the script also registers itself where it is evaluated", () => {
	const script = `autoload -U compinit; compinit -u -D; eval "$(< ${join(folder, "_partnerwire")})"; print $_comps[partnerwire]`;
	expect(run("zsh", "-f", "-c", script)).toBe("_partnerwire\n");
});
