import { type WebhookEvent, WebhookEventStatus } from "@partnerwire/contract";
import { connect, connectFlags } from "../connect.ts";
import { defineGroup, defineStrictCommand } from "../define-command.ts";
import { printable } from "../output/output.ts";
import { showDelivery } from "../output/show-delivery.ts";
import { untilReaderGone } from "../output/standard-streams.ts";
import { readEventId } from "../settings/read-event-id.ts";
import { readId } from "../settings/read-id.ts";
import { readWord } from "../settings/read-list.ts";
import { UsageError } from "../usage-error.ts";
import { cancel, purge, replay, replays } from "./replays.ts";

const id = {
	type: "positional",
	description: "The delivery's id, which is the jti of its token",
	required: true,
} as const;

const toLine = (item: WebhookEvent): string =>
	[
		item.uuid,
		item.status.padEnd(10),
		item.event_id,
		`#${item.sequence}`,
		...(item.waiting_for === null ? [] : [`waits for ${item.waiting_for}`]),
		...(item.next_attempt_at === null ? [] : [`until ${item.next_attempt_at}`]),
		...(item.out_of_order ? ["out of order"] : []),
		...(item.last_error === null ? [] : [printable(item.last_error)]),
	].join("  ");

const list = defineStrictCommand({
	name: "list",
	description: "List deliveries, newest first",
	examples: [
		"partnerwire deliveries list --status failed",
		"partnerwire deliveries list --integration $INTEGRATION --event lead_created --limit 100",
	],
	args: {
		integration: { type: "string", description: "Its id", valueHint: "id" },
		status: {
			type: "string",
			description: "pending, delivering, delivered, failed, held or dropped",
			valueHint: "status",
		},
		event: {
			type: "string",
			description: "An event id",
			valueHint: "event id",
		},
		record: {
			type: "string",
			description: "The record that they are about",
			valueHint: "uuid",
		},
		limit: {
			type: "string",
			description: "How many at most (default 25)",
			valueHint: "n",
		},
		...connectFlags,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const limit = Number(args.limit ?? "25");
		if (!Number.isInteger(limit) || limit < 1)
			throw new UsageError("--limit must be a whole number of at least 1");
		const filters = {
			integration_id:
				args.integration === undefined
					? undefined
					: readId(args.integration, "--integration"),
			status:
				args.status === undefined
					? undefined
					: readWord(args.status, "--status", WebhookEventStatus.options),
			event_id: args.event === undefined ? undefined : readEventId(args.event),
			record_uuid:
				args.record === undefined ? undefined : readId(args.record, "--record"),
		};
		const per_page = Math.min(limit, 100);
		let left = limit;
		const readerGone = untilReaderGone();
		for (
			let page = 1, pages = 1;
			page <= pages && left > 0 && !readerGone.aborted;
			page++
		) {
			const listed = await client.listWebhookEvents({
				query: { ...filters, page, per_page },
			});
			pages = listed.pagination.total_pages;
			for (const item of listed.data.slice(0, left))
				output.say(item, toLine(item));
			left -= listed.data.length;
			if (listed.pagination.total === 0) output.tell("no deliveries");
		}
	},
});

const show = defineStrictCommand({
	name: "show",
	description: "Say why a delivery is where it is, and show its attempts",
	examples: ["partnerwire deliveries show $DELIVERY"],
	args: { id, ...connectFlags },
	async run({ args }) {
		const { client, output } = connect(args);
		const found = await client.getWebhookEvent({
			params: { uuid: readId(args.id) },
		});
		output.say(found, showDelivery(found));
	},
});

const redeliver = defineStrictCommand({
	name: "redeliver",
	description:
		"Deliver again, now: the same delivery, or a new one with --fresh",
	examples: [
		"partnerwire deliveries redeliver $DELIVERY",
		"partnerwire deliveries redeliver $DELIVERY --fresh",
	],
	args: {
		id,
		fresh: {
			type: "boolean",
			description: "As a new delivery, with a jti of its own",
		},
		...connectFlags,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const item = await client.redeliverWebhookEvent({
			params: { uuid: readId(args.id) },
			body: { fresh: args.fresh === true },
		});
		output.say(item, toLine(item));
	},
});

const skip = defineStrictCommand({
	name: "skip",
	description:
		"Give a pending delivery up, so that the next of its record goes",
	examples: ["partnerwire deliveries skip $DELIVERY"],
	args: { id, ...connectFlags },
	async run({ args }) {
		const { client, output } = connect(args);
		const item = await client.skipWebhookEvent({
			params: { uuid: readId(args.id) },
		});
		output.say(item, toLine(item));
	},
});

/** `partnerwire deliveries …`: calls a running service. Replays and purges are in replays.ts. */
export const deliveries = defineGroup(
	"deliveries",
	"List, show, redeliver, skip, replay and purge deliveries of webhooks",
	{ list, show, redeliver, skip, replay, replays, cancel, purge },
);
