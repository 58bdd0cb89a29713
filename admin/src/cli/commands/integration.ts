/* `partnerwire integration …`: calls a running service. Those of the signing secret are in integration-secret.ts. */
import type { Integration } from "@partnerwire/contract";
import { EVENT_IDS } from "@partnerwire/wire";
import { connect, integrationId } from "../connect.ts";
import { defineCommand, defineGroup } from "../define-command.ts";
import { paint, printable } from "../output/output.ts";
import { printPages } from "../output/print-pages.ts";
import { option, required, toggle } from "../settings/flag.ts";
import { eventId, eventIds, integer, text } from "../settings/readers.ts";
import { clientSettings } from "../settings/settings.ts";
import { CommandError } from "../usage-error.ts";
import { reveal, rotate } from "./integration-secret.ts";

const create = defineCommand({
	name: "create",
	description: "Create an integration; its signing secret is shown here",
	examples: [
		"partnerwire integration create --label CRM --webhook-url https://crm.example/hook",
		"partnerwire integration create --label ERP --webhook-url https://erp.example/hook --events deal_created,deal_updated",
	],
	flags: {
		label: required("", "Its name", text),
		webhookUrl: required("url", "Where its events are sent", text),
		events: option(
			"list",
			"Event ids separated by commas (default all 19)",
			eventIds,
			{ words: EVENT_IDS },
		),
		standardWebhooks: toggle("Also sign by Standard Webhooks"),
		...clientSettings,
	},
	async run({ flags, output }) {
		const { label, webhookUrl: webhook_url, events: event_ids } = flags;
		// A service that is older than this does not know it.
		const standard_webhooks = flags.standardWebhooks || undefined;
		const created = await connect(flags).createIntegration({
			body: { label, webhook_url, event_ids, standard_webhooks },
		});
		output.say(
			created,
			`id      ${created.id}\nsecret  ${created.integration_uuid}\nThe secret is the signing secret (integration_uuid): give it to the receiver as PARTNERWIRE_WEBHOOK_SECRET.`,
		);
	},
});

/** Explanations of the service's own reasons for a pause. */
const PAUSES: Readonly<Record<string, string>> = {
	gone: "the receiver answered 410",
	failing: "only failures for five days",
};

/** Formats an integration: one line, and below it its pause, a planned rotation, and the last error if it still fails. */
function toLines({ health, ...item }: Integration): string {
	const counts = `delivered ${health.delivered_24h}, failed ${health.failed_24h}, pending ${health.pending}, held ${health.held}, given up ${health.given_up}`;
	const reason = item.pause_reason ?? "no reason given";
	const own = PAUSES[reason];
	const isFailing =
		(health.last_failure_at ?? "") > (health.last_success_at ?? "");
	return [
		`${item.id}  ${item.status.padEnd(6)}  ${printable(item.label)}  ${printable(item.webhook_url)}  ${counts}`,
		...(item.status === "paused"
			? [`    paused: ${printable(reason)}${own ? ` (${own})` : ""}`]
			: []),
		...(item.secret_cutover_at === null
			? []
			: [`    rotation: a new secret signs from ${item.secret_cutover_at} on`]),
		...(health.given_up === 0
			? []
			: [
					`    given up: not tried again unless replayed: partnerwire deliveries replay --integration ${item.id} --status failed`,
				]),
		...(isFailing && health.last_error !== null
			? [`    last error: ${printable(health.last_error)}`]
			: []),
	].join("\n");
}

const list = defineCommand({
	name: "list",
	description: "List the integrations and their health",
	examples: [
		"partnerwire integration list",
		"partnerwire integration list --url https://partnerwire.example --json",
	],
	flags: clientSettings,
	run({ flags, output }) {
		const client = connect(flags);
		return printPages((query) => client.listIntegrations({ query }), {
			output,
			toLine: toLines,
			empty: "no integrations",
		});
	},
});

const pause = defineCommand({
	name: "pause",
	description: "Pause an integration: its deliveries are held",
	examples: [
		'partnerwire integration pause $INTEGRATION --reason "CRM upgrade"',
	],
	flags: {
		id: integrationId,
		reason: option("text", "Why", text),
		...clientSettings,
	},
	async run({ flags, output }) {
		const paused = await connect(flags).pauseIntegration({
			params: { integration_id: flags.id },
			body: { reason: flags.reason },
		});
		output.say(
			paused,
			`${printable(paused.label)} is paused; ${paused.health.held} deliveries are held`,
		);
	},
});

const resume = defineCommand({
	name: "resume",
	description: "Resume an integration: what was held goes out in order",
	examples: [
		"partnerwire integration resume $INTEGRATION",
		"partnerwire integration resume $INTEGRATION --rate 10",
	],
	flags: {
		id: integrationId,
		rate: option("n", "Deliveries a second (default 50)", integer(1, 10_000)),
		...clientSettings,
	},
	async run({ flags, output }) {
		const resumed = await connect(flags).resumeIntegration({
			params: { integration_id: flags.id },
			body: { rate_per_second: flags.rate },
		});
		output.say(
			resumed,
			`${printable(resumed.label)} is active; ${resumed.health.pending} deliveries are going out`,
		);
	},
});

const test = defineCommand({
	name: "test",
	description: "Send a test webhook and show the whole attempt",
	examples: [
		"partnerwire integration test $INTEGRATION",
		"partnerwire integration test $INTEGRATION --event deal_created",
	],
	flags: {
		id: integrationId,
		event: option("event id", "The event to send", eventId, {
			fallback: "lead_created",
			words: EVENT_IDS,
		}),
		...clientSettings,
	},
	async run({ flags, output }) {
		const { id: integration_id, event: event_id } = flags;
		const result = await connect(flags).testIntegration({
			params: { integration_id },
			body: { event_id },
		});
		const { request, response, failure } = result;
		output.say(
			result,
			[
				`POST ${printable(request.url)}  ${event_id}`,
				response
					? `${response.status} in ${result.timings.total_ms} ms`
					: `no answer: ${failure?.message}`,
				...(response && failure && failure.stage !== "status"
					? [failure.message]
					: []),
				result.delivered ? paint.green("delivered") : paint.red("failed"),
				result.advice,
			].join("\n"),
		);
		if (!result.delivered)
			throw new CommandError("the test webhook was not delivered");
	},
});

export const integration = defineGroup(
	"integration",
	"Create, list, pause, resume, test and rotate integrations, and show their secrets",
	{ create, list, pause, resume, test, rotate, reveal },
);
