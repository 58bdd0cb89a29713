import { expect, test } from "vitest";
import { loadCommands } from "../../admin/src/cli/commands.ts";
import { UsageError } from "../../admin/src/cli/usage-error.ts";

const commands = (await loadCommands()).filter(({ command }) => command.check);

test.each(commands.map(({ words, command }) => [words.join(" "), command]))(
	"%s takes no other value of a switch than true and false",
	(_name, command) => {
		const { args = {} } = command;
		const check = (raw: string) => () => command.check?.([raw]);
		const switches = Object.keys(args).filter(
			(name) => args[name]?.type === "boolean",
		);
		expect(switches).toContain("color");
		for (const name of switches) {
			for (const value of [
				"no",
				"0",
				"1",
				"yes",
				"False",
				"",
				" false",
				"true=false",
			])
				expect(check(`--${name}=${value}`), `--${name}=${value}`).toThrow(
					UsageError,
				);
			for (const said of ["", "=true", "=false"])
				expect(check(`--${name}${said}`)).not.toThrow();
			expect(check(`--no-${name}=false`)).toThrow(UsageError);
			expect(check(`--no-${name}`)).not.toThrow();
		}
	},
);
