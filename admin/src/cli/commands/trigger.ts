/* `partnerwire trigger`: signs an event from its fixture and sends it. It needs no service. */
import { randomUUID } from "node:crypto";
import {
	adviceFor,
	createWire,
	type SendOptions,
	send,
} from "@partnerwire/dispatcher";
import { type Configuration, EVENT_IDS, payloadKeyOf } from "@partnerwire/wire";
import { readFixture } from "../../assets/fixtures.ts";
import { defineCommand } from "../define-command.ts";
import { paint, printable } from "../output/output.ts";
import { createProgress } from "../output/progress.ts";
import { option, required, toggle, word } from "../settings/flag.ts";
import { requireSecret } from "../settings/read-flags.ts";
import { eventId, integer, text } from "../settings/readers.ts";
import { setMember } from "../settings/set-member.ts";
import { SETTINGS } from "../settings/settings.ts";
import { CommandError } from "../usage-error.ts";

export const trigger = defineCommand({
	name: "trigger",
	description:
		"Sign an event from its fixture and send it to a URL, without a service",
	examples: [
		"partnerwire trigger lead_created --url http://127.0.0.1:4400/hook",
		"partnerwire trigger deal_updated --url http://127.0.0.1:4400/hook --set deal.label=Renewal --set deal.deal_value=1200",
		"partnerwire trigger lead_created --url http://127.0.0.1:4400/hook --count 100 --json",
	],
	flags: {
		event: word("The event id, such as lead_created", eventId, EVENT_IDS),
		url: required("url", "Where to send it", text),
		secret: SETTINGS.secret,
		set: option(
			"path=value",
			"Set a member of the payload; may be repeated",
			text,
		),
		count: option("n", "How many to send", integer(1, 10_000), {
			fallback: 1,
		}),
		exact: toggle("Send the fixture's uuid and timestamps unchanged"),
		standardWebhooks: toggle("Also sign by Standard Webhooks"),
	},
	async run({ flags, output, rawArgs }) {
		const { event, url, count, exact, standardWebhooks } = flags;
		const secret = requireSecret(flags, output);
		const body = readFixture(event) as Record<string, object> & {
			configuration: Configuration;
		};
		const key = payloadKeyOf(event);
		const assignments = repeated(rawArgs, "--set");
		/** Creates the body. `--set` is applied last, so that it can also set the new record's uuid and times. */
		const make = () => {
			const made = structuredClone(body);
			if (!exact) made[key] = refresh(made[key]);
			const unknown = assignments.map((assignment) =>
				setMember(made, [key, "configuration"], assignment),
			);
			return { made, unknown };
		};
		for (const path of make().unknown)
			if (path !== undefined)
				output.warn(`--set: the example has no ${path}; is it spelled right?`);
		// A URL that a person types may lead to their own machine.
		const wire = createWire({ allowHttp: true, allowPrivate: true });
		const progress = createProgress();
		let failed = 0;
		try {
			for (let sent = 0; sent < count; sent++) {
				const { made } = make();
				// The fixture fits its event. TypeScript cannot tell that of an event that is chosen at run time.
				const result = await send({
					url,
					secret,
					event,
					entity: made[key],
					configuration: made.configuration,
					companyUuid: randomUUID(),
					userUuid: randomUUID(),
					standardWebhooks,
					wire,
				} as unknown as SendOptions);
				if (!result.delivered) failed++;
				const { status, durationMs, failure, responseBody, claims } = result;
				const verdict = result.delivered
					? paint.green("delivered")
					: paint.red("failed");
				output.say(
					{
						event,
						delivered: result.delivered,
						status,
						durationMs,
						failure,
						responseBody,
						jti: claims.jti,
					},
					[
						`${verdict}  ${event}  ${status ?? printable(failure?.message ?? "")} in ${durationMs} ms`,
						...(result.delivered
							? []
							: [printable(responseBody.slice(0, 200)), adviceFor(result)]),
					]
						.filter(Boolean)
						.join("\n"),
				);
				if (count > 1) progress.show(`${sent + 1} of ${count} sent`);
			}
		} finally {
			progress.end();
			await wire.close();
		}
		if (failed > 0)
			throw new CommandError(`${failed} of ${count} were not delivered`);
	},
});

/** The values of a repeatable flag. */
function repeated(rawArgs: readonly string[], flag: string): string[] {
	return rawArgs.flatMap((arg, index) => {
		if (arg.startsWith(`${flag}=`)) return [arg.slice(flag.length + 1)];
		return arg === flag ? [rawArgs[index + 1] ?? ""] : [];
	});
}

/** The entity as a new record, created now. */
function refresh(entity: object | undefined): object {
	const now = new Date();
	const time = now.toISOString();
	return {
		...entity,
		uuid: randomUUID(),
		created_at: time,
		updated_at: time,
	};
}
