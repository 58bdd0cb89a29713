import type { Integration } from "@partnerwire/contract";
import { connect, connectFlags } from "../connect.ts";
import { defineStrictCommand } from "../define-command.ts";
import { ask } from "../output/ask.ts";
import { printable } from "../output/output.ts";
import { integrationId } from "../settings/flags.ts";
import { readId } from "../settings/read-id.ts";
import { readDurationMs, readTime } from "../settings/read-time.ts";
import { CommandError, UsageError } from "../usage-error.ts";

const WAYS = ["now", "cutover-in", "cutover-at", "cancel"] as const;
type Way = (typeof WAYS)[number];

const QUESTION =
	"The new secret takes over at once: from now on, a receiver that does not have it refuses webhooks. Rotate now?";
const UNSAID =
	"say when the new secret takes over: --cutover-in 1h, so that receivers get it while the old one still signs; --cutover-at TIME; or --now, from when on a receiver without it refuses webhooks";

/** The flag that says when to rotate; undefined without one. Throws a `UsageError` for two of them. */
function readWay(args: Readonly<Record<string, unknown>>): Way | undefined {
	const ways = WAYS.filter((way) => args[way] !== undefined && args[way]);
	if (ways.length > 1)
		throw new UsageError(
			`give one of ${ways.map((way) => `--${way}`).join(" and ")}`,
		);
	if (ways[0] === "cancel" && args.replace)
		throw new UsageError(
			"--cancel gives up the planned rotation already: --replace is for a new one",
		);
	return ways[0];
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

/** `partnerwire integration rotate`: plans, makes or cancels a rotation (docs/decisions.md#rotation). */
export const rotate = defineStrictCommand({
	name: "rotate",
	description: "Rotate the signing secret; until the cutover the old one signs",
	examples: [
		"partnerwire integration rotate $INTEGRATION --cutover-in 1h",
		"partnerwire integration rotate $INTEGRATION --cutover-at 2027-01-01T00:00:00Z",
		"partnerwire integration rotate $INTEGRATION --now",
		"partnerwire integration rotate $INTEGRATION --cancel",
	],
	args: {
		id: integrationId,
		"cutover-in": {
			type: "string",
			description: "In how long the new one begins to sign: 90s, 15m, 1h or 2d",
			valueHint: "duration",
		},
		"cutover-at": {
			type: "string",
			description: "When the new one begins to sign",
			valueHint: "time",
		},
		now: {
			type: "boolean",
			description:
				"It begins at once: a receiver without it refuses webhooks (asked on a terminal)",
		},
		replace: {
			type: "boolean",
			description: "Give up a rotation that is planned already, and its secret",
		},
		cancel: {
			type: "boolean",
			description: "Give up a planned rotation: the old secret goes on signing",
		},
		...connectFlags,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const params = { integration_id: readId(args.id) };
		const way = readWay(args);
		const cutover_at = readCutover(args);
		if (way === undefined) await requireNow(args.json === true);
		if (way === "cancel") {
			const kept = await client.cancelIntegrationRotation({ params });
			return output.say(
				kept,
				`${printable(kept.label)} has no planned rotation: the secret that signs now goes on signing`,
			);
		}
		const rotated = await client.rotateIntegrationSecret({
			params,
			body: { cutover_at, replace: args.replace },
		});
		output.say(
			rotated,
			`secret  ${rotated.integration_uuid}\n${describeCutover(rotated)}`,
		);
	},
});

function readCutover(
	args: Readonly<Partial<Record<"cutover-at" | "cutover-in", string>>>,
): string | undefined {
	const { "cutover-at": at, "cutover-in": after } = args;
	if (at !== undefined) return readTime(at, "--cutover-at");
	if (after === undefined) return undefined;
	return new Date(
		Date.now() + readDurationMs(after, "--cutover-in"),
	).toISOString();
}
