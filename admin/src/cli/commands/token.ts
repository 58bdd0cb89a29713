/* `partnerwire token …`: signs and decodes tokens. It needs no service. */
import { randomUUID } from "node:crypto";
import { WebhookClaims } from "@partnerwire/contract";
import { createSigner, maskClaims } from "@partnerwire/dispatcher";
import { verify } from "@partnerwire/receiver";
import { EVENT_IDS, TOKEN_LIFETIME_S } from "@partnerwire/wire";
import { decodeJwt } from "jose";
import { defineCommand, defineGroup } from "../define-command.ts";
import { paint } from "../output/output.ts";
import { option, type Reader, word } from "../settings/flag.ts";
import { requireSecret } from "../settings/read-flags.ts";
import { eventId, text } from "../settings/readers.ts";
import { SETTINGS } from "../settings/settings.ts";
import { CommandError, UsageError } from "../usage-error.ts";

/** Negative ones too: an expired token is useful in a test. */
const wholeSeconds: Reader<number> = (given, name) => {
	if (Number.isInteger(Number(given))) return Number(given);
	throw new UsageError(`${name} must be whole seconds`);
};

const sign = defineCommand({
	name: "sign",
	description: "Sign a webhook token",
	examples: [
		"partnerwire token sign",
		"partnerwire token sign --event deal_created --lifetime 60",
	],
	flags: {
		secret: SETTINGS.secret,
		event: option("event id", "The event id", eventId, {
			fallback: "lead_created",
			words: EVENT_IDS,
		}),
		company: option("uuid", "company_uuid (default a random one)", text),
		user: option("uuid", "user_uuid (default a random one)", text),
		lifetime: option("s", "Seconds until it expires", wholeSeconds, {
			fallback: TOKEN_LIFETIME_S,
		}),
	},
	async run({ flags, output }) {
		const iat = Math.floor(Date.now() / 1000);
		const claims = {
			company_uuid: flags.company ?? randomUUID(),
			user_uuid: flags.user ?? randomUUID(),
			event_id: flags.event,
			iat,
			exp: iat + flags.lifetime,
		};
		const token = createSigner(requireSecret(flags, output))(claims);
		output.say({ token, claims }, token);
	},
});

const inspect = defineCommand({
	name: "inspect",
	description:
		"Show a token's claims, masked, and verify it when the secret is given",
	examples: [
		"partnerwire token inspect $TOKEN",
		"partnerwire token inspect $TOKEN --json",
	],
	flags: { token: word("The token", text), secret: SETTINGS.secret },
	async run({ flags: { token, secret }, output }) {
		const claims = decode(token);
		const verified =
			secret === undefined ? null : await verify(token, { secret });
		const verdict = verified && (verified.ok ? "valid" : verified.reason);
		output.say(
			{ claims, verdict },
			[
				JSON.stringify(claims, null, 2),
				verdict && (verified?.ok ? paint.green(verdict) : paint.red(verdict)),
			]
				.filter(Boolean)
				.join("\n"),
		);
		if (verified && !verified.ok)
			throw new CommandError(
				`the token is refused: ${[verified.reason, verified.explanation].filter(Boolean).join(". ")}`,
			);
	},
});

/** Decodes a token's claims without verifying them. Those of another kind of token are shown as they are. */
function decode(token: string): Record<string, unknown> {
	try {
		const claims = decodeJwt(token);
		const known = WebhookClaims.safeParse(claims);
		return known.success ? maskClaims({ ...claims, ...known.data }) : claims;
	} catch {
		throw new CommandError(
			"this is not a token: it must be three base64url parts joined by dots",
		);
	}
}

export const token = defineGroup("token", "Sign and inspect webhook tokens", {
	sign,
	inspect,
});
