/* `partnerwire ledger`: calls a running service, and exits with 1 if an event is missing (docs/decisions.md#ledger). */
import { connect } from "../connect.ts";
import { defineCommand } from "../define-command.ts";
import { paint, printable } from "../output/output.ts";
import { clientSettings } from "../settings/settings.ts";
import { CommandError } from "../usage-error.ts";

export const ledger = defineCommand({
	name: "ledger",
	description:
		"Account for every event of every integration; exits with 1 when one is missing",
	examples: ["partnerwire ledger", "partnerwire ledger --json"],
	flags: clientSettings,
	async run({ flags, output }) {
		const { balanced, data } = await connect(flags).getWebhookLedger();
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
