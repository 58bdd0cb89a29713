import { connect, connectFlags } from "../connect.ts";
import { defineStrictCommand } from "../define-command.ts";
import { paint, printable } from "../output/output.ts";
import { CommandError } from "../usage-error.ts";

/** `partnerwire ledger`: calls a running service, and exits with 1 if an event is missing (docs/decisions.md#ledger). */
export const ledger = defineStrictCommand({
	name: "ledger",
	description:
		"Account for every event of every integration; exits with 1 when one is missing",
	examples: ["partnerwire ledger", "partnerwire ledger --json"],
	args: connectFlags,
	async run({ args }) {
		const { client, output } = connect(args);
		const { balanced, data } = await client.getWebhookLedger();
		for (const entry of data) {
			const { integration_id, label, problem, balanced: _, ...counts } = entry;
			const sums = Object.entries(counts).map(
				([name, count]) => `${name} ${count}`,
			);
			const verdict = problem === null ? paint.green("ok") : paint.red(problem);
			output.say(
				entry,
				`${integration_id}  ${printable(label)}  ${sums.join(", ")}  ${verdict}`,
			);
		}
		if (data.length === 0) output.tell("no integrations");
		if (!balanced) throw new CommandError("the ledger does not add up");
	},
});
