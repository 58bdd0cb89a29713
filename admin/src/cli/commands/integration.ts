import { EVENT_IDS, type EventId } from "@partnerwire/contract";
import { connect, connectFlags as shared } from "../connect.ts";
import { defineGroup, defineStrictCommand } from "../define-command.ts";
import { paint } from "../output.ts";
import { CommandError, UsageError } from "../usage-error.ts";

const id = {
	type: "positional",
	description: "The integration's id",
	required: true,
} as const;

const create = defineStrictCommand({
	name: "create",
	description: "Create an integration; its signing secret is shown here",
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
		const event_ids = args.events?.split(",") as EventId[] | undefined;
		const created = await client.createIntegration({
			body: { label: args.label, webhook_url: args["webhook-url"], event_ids },
		});
		output.say(
			created,
			`id      ${created.id}\nsecret  ${created.integration_uuid}`,
		);
	},
});

const list = defineStrictCommand({
	name: "list",
	description: "List the integrations and their health",
	args: shared,
	async run({ args }) {
		const { client, output } = connect(args);
		for (let page = 1, pages = 1; page <= pages; page++) {
			const listed = await client.listIntegrations({
				query: { page, per_page: 100 },
			});
			pages = listed.pagination.total_pages;
			for (const item of listed.data) {
				const { delivered_24h, failed_24h, pending, held } = item.health;
				const health = `delivered ${delivered_24h}, failed ${failed_24h}, pending ${pending}, held ${held}`;
				output.say(
					item,
					`${item.id}  ${item.status.padEnd(6)}  ${item.label}  ${item.webhook_url}  ${health}`,
				);
			}
		}
	},
});

const pause = defineStrictCommand({
	name: "pause",
	description: "Pause an integration: its deliveries are held",
	args: {
		id,
		reason: { type: "string", description: "Why", valueHint: "text" },
		...shared,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const params = { integration_id: args.id };
		const paused = await client.pauseIntegration({
			params,
			body: { reason: args.reason },
		});
		output.say(
			paused,
			`${paused.label} is paused; ${paused.health.held} deliveries are held`,
		);
	},
});

const resume = defineStrictCommand({
	name: "resume",
	description: "Resume an integration: what was held goes out in order",
	args: {
		id,
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
			args.rate === undefined ? undefined : Number(args.rate);
		const resumed = await client.resumeIntegration({
			params: { integration_id: args.id },
			body: { rate_per_second },
		});
		output.say(
			resumed,
			`${resumed.label} is active; ${resumed.health.pending} deliveries are going out`,
		);
	},
});

const test = defineStrictCommand({
	name: "test",
	description: "Send a test webhook and show the whole attempt",
	args: {
		id,
		event: {
			type: "string",
			description: "The event to send (default lead_created)",
			valueHint: "event id",
		},
		...shared,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const event_id = (args.event ?? "lead_created") as EventId;
		if (!EVENT_IDS.includes(event_id))
			throw new UsageError(`${event_id} is not one of ${EVENT_IDS.join(", ")}`);
		const result = await client.testIntegration({
			params: { integration_id: args.id },
			body: { event_id },
		});
		const { request, response, failure } = result;
		output.say(
			result,
			[
				`POST ${request.url}  ${event_id}`,
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

const rotate = defineStrictCommand({
	name: "rotate",
	description: "Rotate the signing secret; until the cutover the old one signs",
	args: {
		id,
		"cutover-at": {
			type: "string",
			description: "When the new one signs (default now)",
		},
		...shared,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const rotated = await client.rotateIntegrationSecret({
			params: { integration_id: args.id },
			body: { cutover_at: args["cutover-at"] },
		});
		output.say(rotated, `secret  ${rotated.integration_uuid}`);
	},
});

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
