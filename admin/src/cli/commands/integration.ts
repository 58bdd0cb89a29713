import type { Integration } from "@partnerwire/contract";
import type { EventId } from "@partnerwire/wire";
import { connect, connectFlags as shared } from "../connect.ts";
import { defineGroup, defineStrictCommand } from "../define-command.ts";
import { paint, printable } from "../output/output.ts";
import { toCount } from "../output/to-count.ts";
import { integrationId } from "../settings/flags.ts";
import { readEventId } from "../settings/read-event-id.ts";
import { readId } from "../settings/read-id.ts";
import { CommandError, UsageError } from "../usage-error.ts";
import { rotate } from "./integration-rotate.ts";

function readEventIds(text: string): EventId[] {
	const ids = text
		.split(",")
		.map((item) => item.trim())
		.filter((item) => item !== "");
	if (ids.length === 0) throw new UsageError("--events names no event");
	return ids.map(readEventId);
}

const create = defineStrictCommand({
	name: "create",
	description: "Create an integration; its signing secret is shown here",
	examples: [
		"partnerwire integration create --label CRM --webhook-url https://crm.example/hook",
		"partnerwire integration create --label ERP --webhook-url https://erp.example/hook --events deal_created,deal_updated",
	],
	args: {
		label: { type: "string", description: "Its name", required: true },
		"webhook-url": {
			type: "string",
			description: "Where its events are sent",
			required: true,
			valueHint: "url",
		},
		events: {
			type: "string",
			description: "Event ids separated by commas (default all 19)",
			valueHint: "list",
		},
		...shared,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const event_ids =
			args.events === undefined ? undefined : readEventIds(args.events);
		const created = await client.createIntegration({
			body: { label: args.label, webhook_url: args["webhook-url"], event_ids },
		});
		output.say(
			created,
			`id      ${created.id}\nsecret  ${created.integration_uuid}`,
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

const list = defineStrictCommand({
	name: "list",
	description: "List the integrations and their health",
	examples: [
		"partnerwire integration list",
		"partnerwire integration list --url https://partnerwire.example --json",
	],
	args: shared,
	async run({ args }) {
		const { client, output } = connect(args);
		for (let page = 1, pages = 1; page <= pages; page++) {
			const listed = await client.listIntegrations({
				query: { page, per_page: 100 },
			});
			pages = listed.pagination.total_pages;
			for (const item of listed.data) {
				output.say(item, toLines(item));
			}
			if (listed.pagination.total === 0) output.tell("no integrations");
		}
	},
});

const pause = defineStrictCommand({
	name: "pause",
	description: "Pause an integration: its deliveries are held",
	examples: [
		'partnerwire integration pause $INTEGRATION --reason "CRM upgrade"',
	],
	args: {
		id: integrationId,
		reason: { type: "string", description: "Why", valueHint: "text" },
		...shared,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const params = { integration_id: readId(args.id) };
		const paused = await client.pauseIntegration({
			params,
			body: { reason: args.reason },
		});
		output.say(
			paused,
			`${printable(paused.label)} is paused; ${paused.health.held} deliveries are held`,
		);
	},
});

const resume = defineStrictCommand({
	name: "resume",
	description: "Resume an integration: what was held goes out in order",
	examples: [
		"partnerwire integration resume $INTEGRATION",
		"partnerwire integration resume $INTEGRATION --rate 10",
	],
	args: {
		id: integrationId,
		rate: {
			type: "string",
			description: "Deliveries a second (default 50)",
			valueHint: "n",
		},
		...shared,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const rate_per_second =
			args.rate === undefined
				? undefined
				: toCount(args.rate, "--rate", 1, 10_000);
		const resumed = await client.resumeIntegration({
			params: { integration_id: readId(args.id) },
			body: { rate_per_second },
		});
		output.say(
			resumed,
			`${printable(resumed.label)} is active; ${resumed.health.pending} deliveries are going out`,
		);
	},
});

const test = defineStrictCommand({
	name: "test",
	description: "Send a test webhook and show the whole attempt",
	examples: [
		"partnerwire integration test $INTEGRATION",
		"partnerwire integration test $INTEGRATION --event deal_created",
	],
	args: {
		id: integrationId,
		event: {
			type: "string",
			description: "The event to send (default lead_created)",
			valueHint: "event id",
		},
		...shared,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const event_id = readEventId(args.event ?? "lead_created");
		const result = await client.testIntegration({
			params: { integration_id: readId(args.id) },
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
				result.delivered ? paint.green("delivered") : paint.red("failed"),
				result.advice,
			].join("\n"),
		);
		if (!result.delivered)
			throw new CommandError("the test webhook was not delivered");
	},
});

/** `partnerwire integration …`: calls a running service. Rotation is in integration-rotate.ts. */
export const integration = defineGroup(
	"integration",
	"Create, list, pause, resume, test and rotate integrations",
	{
		create,
		list,
		pause,
		resume,
		test,
		rotate,
	},
);
