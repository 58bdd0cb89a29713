/* `partnerwire deliveries …`: calls a running service. Replays and purges are in replays.ts. */
import { type WebhookEvent, WebhookEventStatus } from "@partnerwire/contract";
import { EVENT_IDS } from "@partnerwire/wire";
import { connect } from "../connect.ts";
import { defineCommand, defineGroup } from "../define-command.ts";
import { printable } from "../output/output.ts";
import { printPages } from "../output/print-pages.ts";
import { showDelivery } from "../output/show-delivery.ts";
import { option, type Reader, toggle, word } from "../settings/flag.ts";
import { eventId, id, oneOf } from "../settings/readers.ts";
import { clientSettings } from "../settings/settings.ts";
import { UsageError } from "../usage-error.ts";
import { cancel, purge, replay, replays } from "./replays.ts";

const deliveryId = word("The delivery's id, which is the jti of its token", id);

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

const atLeastOne: Reader<number> = (given, name) => {
	const count = Number(given);
	if (Number.isInteger(count) && count >= 1) return count;
	throw new UsageError(`${name} must be a whole number of at least 1`);
};

const list = defineCommand({
	name: "list",
	description: "List deliveries, newest first",
	examples: [
		"partnerwire deliveries list --status failed",
		"partnerwire deliveries list --integration $INTEGRATION --event lead_created --limit 100",
	],
	flags: {
		integration: option("id", "Its id", id),
		status: option(
			"status",
			"pending, delivering, delivered, failed, held or dropped",
			oneOf(WebhookEventStatus.options),
		),
		event: option("event id", "An event id", eventId, { words: EVENT_IDS }),
		record: option("uuid", "The record that they are about", id),
		limit: option("n", "How many at most", atLeastOne, { fallback: 25 }),
		...clientSettings,
	},
	async run({ flags, output }) {
		const client = connect(flags);
		const filters = {
			integration_id: flags.integration,
			status: flags.status,
			event_id: flags.event,
			record_uuid: flags.record,
		};
		await printPages(
			(query) => client.listWebhookEvents({ query: { ...filters, ...query } }),
			{ output, toLine, empty: "no deliveries", limit: flags.limit },
		);
	},
});

const show = defineCommand({
	name: "show",
	description: "Say why a delivery is where it is, and show its attempts",
	examples: ["partnerwire deliveries show $DELIVERY"],
	flags: { id: deliveryId, ...clientSettings },
	async run({ flags, output }) {
		const found = await connect(flags).getWebhookEvent({
			params: { uuid: flags.id },
		});
		output.say(found, showDelivery(found));
	},
});

const redeliver = defineCommand({
	name: "redeliver",
	description:
		"Deliver again, now: the same delivery, or a new one with --fresh",
	examples: [
		"partnerwire deliveries redeliver $DELIVERY",
		"partnerwire deliveries redeliver $DELIVERY --fresh",
	],
	flags: {
		id: deliveryId,
		fresh: toggle("As a new delivery, with a jti of its own"),
		...clientSettings,
	},
	async run({ flags, output }) {
		const item = await connect(flags).redeliverWebhookEvent({
			params: { uuid: flags.id },
			body: { fresh: flags.fresh },
		});
		output.say(item, toLine(item));
	},
});

const skip = defineCommand({
	name: "skip",
	description:
		"Give a pending delivery up, so that the next of its record goes",
	examples: ["partnerwire deliveries skip $DELIVERY"],
	flags: { id: deliveryId, ...clientSettings },
	async run({ flags, output }) {
		const item = await connect(flags).skipWebhookEvent({
			params: { uuid: flags.id },
		});
		output.say(item, toLine(item));
	},
});

export const deliveries = defineGroup(
	"deliveries",
	"List, show, redeliver, skip, replay and purge deliveries of webhooks",
	{ list, show, redeliver, skip, replay, replays, cancel, purge },
);
