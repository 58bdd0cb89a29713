/* `partnerwire torture`: runs the checks of torture/ on a receiver (docs/decisions.md#partnerwire-torture). */
import {
	CHECKS,
	type CheckResult,
	runTorture,
} from "../../torture/run-torture.ts";
import { findRefusal } from "../../torture/send-shot.ts";
import { defineCommand } from "../define-command.ts";
import { paint } from "../output/output.ts";
import { option, word } from "../settings/flag.ts";
import { requireSecret } from "../settings/read-flags.ts";
import { serviceUrl, text } from "../settings/readers.ts";
import { SETTINGS } from "../settings/settings.ts";
import { CommandError, UsageError } from "../usage-error.ts";

const CONNECT_MS = 10_000;

export const torture = defineCommand({
	name: "torture",
	description:
		"Try evil tokens, odd bodies, copies and slow requests on a receiver, in any language, and say what it does wrong. It gets about 40 signed example events: take one that is not in production",
	examples: [
		"partnerwire torture http://127.0.0.1:4400/hook",
		"partnerwire torture https://test.example/hook --allow-host test.example --json",
	],
	flags: {
		url: word(
			"The receiver, such as http://127.0.0.1:4400/hook",
			(given) => new URL(serviceUrl(given, "the URL")),
		),
		secret: SETTINGS.secret,
		allowHost: option(
			"host",
			"The URL's host, said once more, if it is not on this machine: the receiver must be yours",
			text,
		),
	},
	async run({ flags, output }) {
		const { url, allowHost } = flags;
		refuseForeign(url, allowHost);
		const secret = requireSecret(flags, output);
		const refusal = await findRefusal(url, CONNECT_MS);
		if (refusal)
			throw new CommandError(`cannot connect to ${url.origin}: ${refusal}`);
		output.tell(`${CHECKS.length} checks on ${url.href}\n`);
		const results = await runTorture({
			url,
			secret,
			onResult: (result) => output.say({ ...result }, toLine(result)),
		});
		const missed = results.filter(({ passed }) => !passed);
		const failed = missed.filter(({ level }) => level === "must").length;
		const counts = {
			passed: results.length - missed.length,
			failed,
			warned: missed.length - failed,
			skipped: CHECKS.length - results.length,
		};
		output.say(
			{ event: "verdict", ...counts },
			`\n${counts.passed} passed, ${failed} failed, ${counts.warned} warned${counts.skipped > 0 ? `, ${counts.skipped} not tried: a receiver that refuses everything would pass them` : ""}.`,
		);
		output.tell(
			"What a receiver does inside cannot be seen from here: that a copy is not handled twice is for its own tests.",
		);
		if (failed > 0)
			throw new CommandError(`${failed} of ${results.length} checks failed`);
	},
});

/** The receiver must be on this machine, unless a flag repeats its host. */
function refuseForeign({ hostname }: URL, allowed: string | undefined): void {
	if (/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname)) return;
	if (hostname !== allowed)
		throw new UsageError(
			`${hostname} is not this machine; if the receiver there is yours, add --allow-host ${hostname}`,
		);
}

function toLine(result: CheckResult): string {
	const word = result.passed
		? paint.green("pass")
		: result.level === "must"
			? paint.red("FAIL")
			: paint.yellow("warn");
	const line = `${word}  ${result.check.padEnd(30)} ${result.title}`;
	if (result.passed) return line;
	return `${line}\n      answered ${result.answered}, expected ${result.expected} (${result.source})\n      ${result.advice}`;
}
