import { randomUUID } from "node:crypto";
import { WebhookClaims } from "@partnerwire/contract";
import { createSigner, maskClaims } from "@partnerwire/dispatcher";
import { verify } from "@partnerwire/receiver";
import { TOKEN_LIFETIME_S } from "@partnerwire/wire";
import { decodeJwt } from "jose";
import { defineGroup, defineStrictCommand } from "../define-command.ts";
import { createOutput, paint } from "../output/output.ts";
import { jsonFlag, secretFlag } from "../settings/flags.ts";
import { readEventId } from "../settings/read-event-id.ts";
import { readSettings, requireSecret } from "../settings/settings.ts";
import { CommandError, UsageError } from "../usage-error.ts";

const sign = defineStrictCommand({
	name: "sign",
	description: "Sign a webhook token",
	examples: [
		"partnerwire token sign --secret $SECRET",
		"partnerwire token sign --secret $SECRET --event deal_created --lifetime 60",
	],
	args: {
		...secretFlag,
		event: {
			type: "string",
			description: "The event id (default lead_created)",
			valueHint: "event id",
		},
		company: {
			type: "string",
			description: "company_uuid (default a random one)",
			valueHint: "uuid",
		},
		user: {
			type: "string",
			description: "user_uuid (default a random one)",
			valueHint: "uuid",
		},
		lifetime: {
			type: "string",
			description: "Seconds until it expires (default 3600)",
			valueHint: "s",
		},
		...jsonFlag,
	},
	async run({ args }) {
		const settings = readSettings({ json: args.json, secret: args.secret });
		const event_id = readEventId(args.event ?? "lead_created");
		const lifetimeS =
			args.lifetime === undefined ? TOKEN_LIFETIME_S : Number(args.lifetime);
		if (!Number.isInteger(lifetimeS))
			throw new UsageError("--lifetime must be whole seconds");
		const iat = Math.floor(Date.now() / 1000);
		const claims = {
			company_uuid: args.company ?? randomUUID(),
			user_uuid: args.user ?? randomUUID(),
			event_id,
			iat,
			exp: iat + lifetimeS,
		};
		const token = createSigner(requireSecret(settings))(claims);
		createOutput(settings.json).say({ token, claims }, token);
	},
});

const inspect = defineStrictCommand({
	name: "inspect",
	description:
		"Show a token's claims, masked, and verify it when the secret is given",
	examples: [
		"partnerwire token inspect $TOKEN",
		"partnerwire token inspect $TOKEN --secret $SECRET --json",
	],
	args: {
		token: { type: "positional", description: "The token", required: true },
		...secretFlag,
		...jsonFlag,
	},
	async run({ args }) {
		const { json, secret } = readSettings({
			json: args.json,
			secret: args.secret,
		});
		const claims = decode(args.token);
		const verified =
			secret === undefined ? null : await verify(args.token, { secret });
		const verdict = verified && (verified.ok ? "valid" : verified.reason);
		createOutput(json).say(
			{ claims, verdict },
			[
				JSON.stringify(claims, null, 2),
				verdict && (verified?.ok ? paint.green(verdict) : paint.red(verdict)),
			]
				.filter(Boolean)
				.join("\n"),
		);
		if (verified && !verified.ok)
			throw new CommandError(`the token is refused: ${verified.reason}`);
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

/** `partnerwire token …`: signs and decodes tokens. It needs no service. */
export const token = defineGroup("token", "Sign and inspect webhook tokens", {
	sign,
	inspect,
});
