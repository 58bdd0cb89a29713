/* `partnerwire integration rotate` and `reveal`: the signing secret (docs/decisions.md#rotation, docs/decisions.md#signing-secret). */
import type { Integration } from "@partnerwire/contract";
import { connect, integrationId } from "../connect.ts";
import { defineCommand } from "../define-command.ts";
import { ask } from "../output/ask.ts";
import { printable } from "../output/output.ts";
import { option, toggle, toKebab } from "../settings/flag.ts";
import { durationMs, time } from "../settings/readers.ts";
import { clientSettings } from "../settings/settings.ts";
import { CommandError, UsageError } from "../usage-error.ts";

const TIMINGS = ["now", "cutoverIn", "cutoverAt", "cancel"] as const;
type Timing = (typeof TIMINGS)[number];

const QUESTION =
	"The new secret takes over at once: from now on, a receiver that does not have it refuses webhooks. Rotate now?";
const UNSAID =
	"say when the new secret takes over: --cutover-in 1h, so that receivers get it while the old one still signs; --cutover-at TIME; or --now, from when on a receiver without it refuses webhooks";

/** The flag that says when to rotate; undefined without one. Throws a `UsageError` for two of them. */
function readTiming(
	flags: Readonly<Record<string, unknown>>,
): Timing | undefined {
	const timings = TIMINGS.filter((timing) => flags[timing]);
	if (timings.length > 1)
		throw new UsageError(
			`give one of ${timings.map((timing) => `--${toKebab(timing)}`).join(" and ")}`,
		);
	if (timings[0] === "cancel" && flags.replace)
		throw new UsageError(
			"--cancel gives up the planned rotation already: --replace is for a new one",
		);
	return timings[0];
}

/** Asks before a rotation at once, because it breaks receivers. Without a terminal it needs `--now`. */
async function requireNow(isJson: boolean): Promise<void> {
	const isForPerson =
		process.stdin.isTTY === true && process.stderr.isTTY === true && !isJson;
	if (!isForPerson) throw new UsageError(UNSAID);
	if (!(await ask(QUESTION))) throw new CommandError("nothing was rotated");
}

const describeCutover = ({ secret_cutover_at: at }: Integration): string =>
	at === null
		? "It begins to sign now."
		: `It begins to sign at ${at}; until then the old one does.`;

export const rotate = defineCommand({
	name: "rotate",
	description: "Rotate the signing secret; until the cutover the old one signs",
	examples: [
		"partnerwire integration rotate $INTEGRATION --cutover-in 1h",
		"partnerwire integration rotate $INTEGRATION --cutover-at 2027-01-01T00:00:00Z",
		"partnerwire integration rotate $INTEGRATION --now",
		"partnerwire integration rotate $INTEGRATION --cancel",
	],
	flags: {
		id: integrationId,
		cutoverIn: option(
			"duration",
			"In how long the new one begins to sign: 90s, 15m, 1h or 2d",
			durationMs,
		),
		cutoverAt: option("time", "When the new one begins to sign", time),
		now: toggle(
			"It begins at once: a receiver without it refuses webhooks (asked on a terminal)",
		),
		replace: toggle(
			"Give up a rotation that is planned already, and its secret",
		),
		cancel: toggle(
			"Give up a planned rotation: the old secret goes on signing",
		),
		...clientSettings,
	},
	async run({ flags, output }) {
		const client = connect(flags);
		const params = { integration_id: flags.id };
		const timing = readTiming(flags);
		if (timing === undefined) await requireNow(flags.json);
		if (timing === "cancel") {
			const kept = await client.cancelIntegrationRotation({ params });
			return output.say(
				kept,
				`${printable(kept.label)} has no planned rotation: the secret that signs now goes on signing`,
			);
		}
		const { cutoverIn, cutoverAt, replace } = flags;
		const cutover_at =
			cutoverIn === undefined
				? cutoverAt
				: new Date(Date.now() + cutoverIn).toISOString();
		const rotated = await client.rotateIntegrationSecret({
			params,
			body: { cutover_at, replace },
		});
		output.say(
			rotated,
			`secret  ${rotated.integration_uuid}\n${describeCutover(rotated)}`,
		);
	},
});

export const reveal = defineCommand({
	name: "reveal",
	description: "Show the signing secret; the audit log says who did",
	examples: [
		"partnerwire integration reveal $INTEGRATION",
		"partnerwire integration reveal $INTEGRATION --json",
	],
	flags: { id: integrationId, ...clientSettings },
	async run({ flags, output }) {
		const revealed = await connect(flags).revealIntegrationSecret({
			params: { integration_id: flags.id },
		});
		const { next_integration_uuid: next, cutover_at } = revealed;
		output.say(
			revealed,
			[
				`secret  ${revealed.integration_uuid}`,
				`        ${revealed.standard_webhooks_secret}  for Standard Webhooks libraries`,
				...(next === null
					? []
					: [
							`next    ${next}`,
							`        ${revealed.next_standard_webhooks_secret}  for Standard Webhooks libraries`,
							`The next one begins to sign tokens at ${cutover_at}.`,
						]),
			].join("\n"),
		);
	},
});
