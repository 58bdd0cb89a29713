/* `partnerwire inbox …`: opens the database of a receiver's inbox directly, without a service. */
import type { InboxEntry } from "@partnerwire/receiver";
import { defineCommand, defineGroup } from "../define-command.ts";
import { printable } from "../output/output.ts";
import { type Flag, option, toggle, word } from "../settings/flag.ts";
import { integer, textThat } from "../settings/readers.ts";
import { SETTINGS } from "../settings/settings.ts";
import { CommandError, UsageError } from "../usage-error.ts";

const inboxFlags = {
	database: {
		...SETTINGS.database,
		description:
			"The receiver's inbox: the path of its SQLite file, or a postgres:// URL (with a password better in PARTNERWIRE_DATABASE)",
		valueHint: "path or URL",
	},
	table: option(
		"name",
		"Its table",
		textThat(
			(given) => /^([A-Za-z_]\w*\.)?[A-Za-z_]\w*$/.test(given),
			"must be a plain name, or schema.name",
		),
		{ fallback: "partnerwire_inbox" },
	),
};

const toRow = (entry: InboxEntry) => ({
	id: entry.id,
	state: entry.state,
	event_id: entry.eventId,
	delivery_id: entry.deliveryId,
	record: entry.entityId,
	sequence: entry.sequence,
	attempts: entry.attempts,
	error: entry.error,
	received_at: new Date(entry.receivedAtMs).toISOString(),
	due_at: new Date(entry.dueAtMs).toISOString(),
});

const toLine = (row: ReturnType<typeof toRow>): string =>
	[
		row.id,
		row.state.padEnd(10),
		row.event_id,
		printable(row.record ?? "-"),
		row.received_at,
		`attempts ${row.attempts}`,
		...(row.state === "pending" ? [`due ${row.due_at}`] : []),
		...(row.error === null ? [] : [printable(row.error)]),
	].join("  ");

const list = defineCommand({
	name: "list",
	description: "List events, oldest first",
	examples: [
		"partnerwire inbox list --database inbox.db",
		"partnerwire inbox list --database inbox.db --dead --limit 100",
	],
	flags: {
		dead: toggle("Only those that were given up"),
		limit: option("n", "How many at most", integer(1, 1_000_000), {
			fallback: 25,
		}),
		...inboxFlags,
	},
	async run({ flags, output }) {
		const { dead, limit } = flags;
		const { withInbox } = await import("../with-inbox.ts");
		await withInbox(flags, async (inbox) => {
			const entries = await inbox.list(
				dead ? { state: "dead", limit } : { limit },
			);
			for (const row of entries.map(toRow)) output.say(row, toLine(row));
			if (entries.length === 0) output.tell("no events");
		});
	},
});

const stats = defineCommand({
	name: "stats",
	description: "Count the events",
	examples: ["partnerwire inbox stats --database inbox.db --json"],
	flags: inboxFlags,
	async run({ flags, output }) {
		const { withInbox } = await import("../with-inbox.ts");
		await withInbox(flags, async (inbox) => {
			const { oldestAgeMs, ...counts } = await inbox.stats();
			const ageS = oldestAgeMs === null ? null : Math.round(oldestAgeMs / 1000);
			const sums = Object.entries(counts).map((each) => each.join(" "));
			output.say(
				{ ...counts, oldest_age_s: ageS },
				[...sums, ...(ageS === null ? [] : [`oldest ${ageS} s`])].join(", "),
			);
		});
	},
});

const eventNumber: Flag<number | undefined> = {
	...word("The event's number in the list", (given) =>
		integer(1, 9_999_999)(given, "the number"),
	),
	required: false,
};

const retry = defineCommand({
	name: "retry",
	description: "Run a dead event again, or one that waits at once",
	examples: [
		"partnerwire inbox retry 17 --database inbox.db",
		"partnerwire inbox retry --dead --database inbox.db",
	],
	flags: {
		id: eventNumber,
		dead: toggle("All that were given up"),
		...inboxFlags,
	},
	async run({ flags, output }) {
		const { id, dead } = flags;
		if ((id === undefined) !== dead)
			throw new UsageError("give the number of one event, or --dead for all");
		const { withInbox } = await import("../with-inbox.ts");
		await withInbox(flags, async (inbox) => {
			const retried = await inbox.retry(id);
			if (id !== undefined && retried === 0)
				throw new CommandError(`there is no dead or waiting event ${id}`);
			output.say(
				{ retried },
				`${retried} ${retried === 1 ? "event is" : "events are"} due now; the receiver runs ${retried === 1 ? "it" : "them"}`,
			);
		});
	},
});

export const inbox = defineGroup(
	"inbox",
	"List, count and retry the events of a receiver's durable inbox",
	{ list, stats, retry },
);
