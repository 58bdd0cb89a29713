import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { loadCommands } from "../../admin/src/cli/commands.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/*
 * An empty id, or one such as `..`, would make another request than the user wants (docs/decisions.md#ids-of-records). Every argument of
 * the command tree that takes an id refuses it before the command calls the service or opens a database.
 */
const ID = "0190b1e0-0000-7000-8000-000000000001";

/** Arguments that look like ids of records but are not: numbers, names, secrets, claims of a token, and a company that has a suggestion. */
const NO_IDS =
	/^(inbox retry id|company module id|token sign --(company|user)|.* --(secret|company))$/;

const idArguments = (await loadCommands()).flatMap(({ command, words }) =>
	Object.entries(command.args ?? {})
		.map(([name, { type, ...def }]) => ({
			words,
			args: command.args ?? {},
			name: type === "positional" ? name : `--${name}`,
			isId:
				type === "positional"
					? /^(id|uuid)$/.test(name)
					: /^(id|uuid)$/.test(def.valueHint ?? ""),
		}))
		.filter(
			({ isId, name }) => isId && !NO_IDS.test([...words, name].join(" ")),
		),
);

/** The other arguments that a command requires. */
const VALUES: Record<string, string> = {
	integration: ID,
	status: "failed",
	label: "CRM",
};

/** A command line with this value for one of its arguments, and correct values for all others that it needs. */
function toCommandLine(
	{ words, args, name }: (typeof idArguments)[number],
	value: string,
): string[] {
	const others = Object.entries(args)
		.filter(([other, def]) => def.required && `--${other}` !== name)
		.flatMap(([other, { type }]) =>
			type === "positional" ? [] : [`--${other}`, VALUES[other] ?? ""],
		);
	const flagged = name.startsWith("--") ? [`${name}=${value}`] : [];
	const word = name.startsWith("--") ? [] : ["--", value];
	const yes = "yes" in args ? ["--yes"] : [];
	return [...words, ...others, ...flagged, ...yes, ...word];
}

let asked = 0;
const service = createServer((_, response) => {
	asked++;
	response.end("{}");
});
beforeAll(async () => {
	await once(service.listen(0, "127.0.0.1"), "listening");
});
afterAll(() => void service.close());

test("the arguments that take ids are found", () => {
	const found = idArguments.map(({ words, name }) =>
		[...words, name].join(" "),
	);
	expect(found).toEqual(
		expect.arrayContaining([
			"deliveries show id",
			"deliveries list --integration",
			"deliveries cancel id",
			"integration test id",
			"key revoke uuid",
		]),
	);
});

const CASES = idArguments.flatMap((argument) =>
	["", "..", "ledger", `${ID}/..`].map(
		(value) =>
			[[...argument.words, argument.name].join(" "), value, argument] as const,
	),
);

test.each(CASES)(
	"%s refuses %j: exit code 2, a sentence, no request",
	async (_, value, argument) => {
		asked = 0;
		const { port } = service.address() as AddressInfo;
		const ended = await runPartnerwire(toCommandLine(argument, value), {
			env: {
				PARTNERWIRE_URL: `http://127.0.0.1:${port}`,
				PARTNERWIRE_API_KEY: "pwk_x",
				PARTNERWIRE_DATABASE: join(createTempFolder(), "none.db"),
			},
		});
		const isFlag = argument.name.startsWith("--");
		const named = isFlag ? argument.name : "the id";
		const missing = isFlag ? argument.name : `the ${argument.name}`;
		const [said, help] = ended.stderr.split("\n");
		expect(said).toMatch(
			value === ""
				? `partnerwire: ${missing} is empty: is the variable that it comes from set?`
				: `partnerwire: ${named} must be a UUID, as lists show it`,
		);
		expect(help).toMatch(/--help$/);
		expect([ended.code, ended.stdout, asked]).toEqual([2, "", 0]);
	},
);
