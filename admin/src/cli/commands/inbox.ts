import type { Inbox, InboxEntry } from "@partnerwire/receiver";
import { postgresInbox } from "@partnerwire/receiver/postgres";
import { sqliteInbox } from "@partnerwire/receiver/sqlite";
import { defineGroup, defineStrictCommand } from "../define-command.ts";
import { createOutput, type Output, printable } from "../output/output.ts";
import { toCount } from "../output/to-count.ts";
import { jsonFlag } from "../settings/flags.ts";
import { readSettings } from "../settings/settings.ts";
import { CommandError, UsageError } from "../usage-error.ts";

const TABLE = "partnerwire_inbox";

const flags = {
	database: {
		type: "string",
		description:
			"The receiver's inbox: the path of its SQLite file, or a postgres:// URL (with a password better in PARTNERWIRE_DATABASE)",
		valueHint: "path or URL",
	},
	table: {
		type: "string",
		description: `Its table (default ${TABLE})`,
		valueHint: "name",
	},
	...jsonFlag,
} as const;

const isPostgres = (database: string) => /^postgres(ql)?:\/\//i.test(database);

/** The error of PostgreSQL, without the driver's message: that may hold the URL. */
function toPostgresError(error: unknown, table: string): CommandError {
	const code = String((error as { code?: unknown } | null)?.code ?? "no code");
	return new CommandError(
		code === "42P01"
			? `the database holds no inbox: it has no table ${table}`
			: `the database cannot be used (${code})`,
	);
}

/** Opens an existing inbox without processing it, and closes it. It creates nothing. */
async function withInbox<Result>(
	args: { database?: string; table?: string; json?: boolean },
	work: (inbox: Inbox, output: Output) => Promise<Result>,
): Promise<Result> {
	const { database, json } = readSettings(args);
	const output = createOutput(json);
	const table = args.table ?? TABLE;
	if (!/^([A-Za-z_]\w*\.)?[A-Za-z_]\w*$/.test(table))
		throw new UsageError("--table must be a plain name, or schema.name");
	if (!isPostgres(database)) {
		const inbox = sqliteInbox(database, { table, create: false });
		return work(inbox, output).finally(inbox.close);
	}
	const inbox = postgresInbox(database, { table, createTable: false });
	try {
		return await work(inbox, output);
	} catch (error) {
		throw error instanceof CommandError ? error : toPostgresError(error, table);
	} finally {
		await inbox.close();
	}
}

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

const list = defineStrictCommand({
	name: "list",
	description: "List events, oldest first",
	examples: [
		"partnerwire inbox list --database inbox.db",
		"partnerwire inbox list --database inbox.db --dead --limit 100",
	],
	args: {
		dead: { type: "boolean", description: "Only those that were given up" },
		limit: {
			type: "string",
			description: "How many at most (default 25)",
			valueHint: "n",
		},
		...flags,
	},
	async run({ args }) {
		const limit = toCount(args.limit ?? "25", "--limit", 1, 1_000_000);
		await withInbox(args, async (inbox, output) => {
			const entries = await inbox.list(
				args.dead ? { state: "dead", limit } : { limit },
			);
			for (const row of entries.map(toRow)) output.say(row, toLine(row));
			if (entries.length === 0) output.tell("no events");
		});
	},
});

const stats = defineStrictCommand({
	name: "stats",
	description: "Count the events",
	examples: ["partnerwire inbox stats --database inbox.db --json"],
	args: flags,
	async run({ args }) {
		await withInbox(args, async (inbox, output) => {
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

const retry = defineStrictCommand({
	name: "retry",
	description: "Run a dead event again, or one that waits at once",
	examples: [
		"partnerwire inbox retry 17 --database inbox.db",
		"partnerwire inbox retry --dead --database inbox.db",
	],
	args: {
		id: {
			type: "positional",
			description: "The event's number in the list",
			required: false,
		},
		dead: { type: "boolean", description: "All that were given up" },
		...flags,
	},
	async run({ args }) {
		if ((args.id === undefined) === (args.dead !== true))
			throw new UsageError("give the number of one event, or --dead for all");
		const id =
			args.id === undefined
				? undefined
				: toCount(args.id, "the number", 1, 9_999_999);
		await withInbox(args, async (inbox, output) => {
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

/** `partnerwire inbox …`: opens the database of a receiver's inbox directly, without a service. */
export const inbox = defineGroup(
	"inbox",
	"List, count and retry the events of a receiver's durable inbox",
	{ list, stats, retry },
);
