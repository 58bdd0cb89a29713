import { setTimeout as sleep } from "node:timers/promises";
import {
	PurgeableStatus,
	ReplayableStatus,
	type WebhookReplay,
} from "@partnerwire/contract";
import type { Client } from "@partnerwire/sdk";
import { EVENT_IDS } from "@partnerwire/wire";
import { connect, connectFlags } from "../connect.ts";
import { defineStrictCommand } from "../define-command.ts";
import { printable } from "../output/output.ts";
import { createProgress } from "../output/progress.ts";
import { untilReaderGone } from "../output/standard-streams.ts";
import { toCount } from "../output/to-count.ts";
import { readId } from "../settings/read-id.ts";
import { readList } from "../settings/read-list.ts";
import { readTime } from "../settings/read-time.ts";
import { UsageError } from "../usage-error.ts";

const FOLLOW_MS = 1000;

const selectionFlags = {
	integration: {
		type: "string",
		description: "The integration's id",
		required: true,
		valueHint: "id",
	},
	since: {
		type: "string",
		description: "Made at or after this time",
		valueHint: "time",
	},
	until: {
		type: "string",
		description: "Made before this time",
		valueHint: "time",
	},
	event: {
		type: "string",
		description: "Event ids separated by commas (default all)",
		valueHint: "list",
	},
	"dry-run": { type: "boolean", description: "Only count; change nothing" },
} as const;

interface SelectionArgs {
	integration: string;
	since?: string | undefined;
	until?: string | undefined;
	event?: string | undefined;
	"dry-run"?: boolean | undefined;
}

function readSelection(args: SelectionArgs) {
	const { since, until, event } = args;
	return {
		integration_id: readId(args.integration, "--integration"),
		dry_run: args["dry-run"] === true,
		...(since !== undefined && { since: readTime(since, "--since") }),
		...(until !== undefined && { until: readTime(until, "--until") }),
		...(event !== undefined && {
			event_ids: readList(event, "--event", EVENT_IDS),
		}),
	};
}

const toLine = (replay: WebhookReplay): string => {
	const { matched, replayed, skipped, remaining, changed } = replay.counts;
	return [
		...(replay.uuid === null ? [] : [replay.uuid]),
		replay.status.padEnd(9),
		`${replayed} of ${matched} replayed`,
		...(skipped > 0 ? [`${skipped} skipped`] : []),
		...(remaining > 0 ? [`${remaining} to go`] : []),
		...(changed > 0 ? [`${changed} not reached`] : []),
		`${replay.rate_per_second} a second`,
		...(replay.waiting_for === null
			? []
			: ["waits: its integration is paused"]),
		...(replay.ends_at === null ? [] : [`until about ${replay.ends_at}`]),
		...(replay.reason === null ? [] : [printable(replay.reason)]),
	].join("  ");
};

/** Shows a job's progress until it has ended. */
async function follow(client: Client, uuid: string): Promise<WebhookReplay> {
	const progress = createProgress();
	try {
		for (;;) {
			const replay = await client.getWebhookReplay({ params: { uuid } });
			if (replay.status !== "running") return replay;
			progress.show(toLine(replay));
			await sleep(FOLLOW_MS);
		}
	} finally {
		progress.end();
	}
}

export const replay = defineStrictCommand({
	name: "replay",
	description:
		"Replay deliveries at a rate: a job of the service, which goes on when this command is stopped",
	examples: [
		"partnerwire deliveries replay --integration $INTEGRATION --dry-run",
		"partnerwire deliveries replay --integration $INTEGRATION --status failed,dropped --since 2026-12-01T00:00:00Z --rate 10",
	],
	args: {
		...selectionFlags,
		status: {
			type: "string",
			description: "delivered, failed, dropped, pending (default failed)",
			valueHint: "list",
		},
		rate: {
			type: "string",
			description: "Deliveries a second (default 50)",
			valueHint: "n",
		},
		fresh: {
			type: "boolean",
			description: "As new deliveries, each with a jti of its own",
		},
		wait: {
			type: "boolean",
			description: "Show the progress until the job has ended (the default)",
			negativeDescription: "End as soon as the job is made",
		},
		...connectFlags,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const { status, rate } = args;
		const made = await client.createWebhookReplay({
			body: {
				...readSelection(args),
				fresh: args.fresh === true,
				...(status !== undefined && {
					statuses: readList(status, "--status", ReplayableStatus.options),
				}),
				...(rate !== undefined && {
					rate_per_second: toCount(rate, "--rate", 1, 10_000),
				}),
			},
		});
		if (made.uuid === null)
			return output.say(
				made,
				`${made.counts.matched} deliveries would be replayed`,
			);
		output.say(made, toLine(made));
		if (args.wait === false) return;
		const ended = await follow(client, made.uuid);
		output.say(ended, toLine(ended));
	},
});

export const replays = defineStrictCommand({
	name: "replays",
	description: "List the replays and their progress, newest first",
	examples: ["partnerwire deliveries replays"],
	args: connectFlags,
	async run({ args }) {
		const { client, output } = connect(args);
		const readerGone = untilReaderGone();
		for (
			let page = 1, pages = 1;
			page <= pages && !readerGone.aborted;
			page++
		) {
			const listed = await client.listWebhookReplays({
				query: { page, per_page: 100 },
			});
			pages = listed.pagination.total_pages;
			for (const item of listed.data) output.say(item, toLine(item));
			if (listed.pagination.total === 0) output.tell("no replays");
		}
	},
});

export const cancel = defineStrictCommand({
	name: "cancel",
	description: "Cancel a replay; what it gave back already still goes",
	examples: ["partnerwire deliveries cancel $REPLAY"],
	args: {
		id: {
			type: "positional",
			description: "The replay's uuid",
			required: true,
		},
		...connectFlags,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const params = { uuid: readId(args.id) };
		const cancelled = await client.cancelWebhookReplay({ params });
		output.say(cancelled, toLine(cancelled));
	},
});

export const purge = defineStrictCommand({
	name: "purge",
	description:
		"Remove deliveries for good, with their attempts; the ledger counts them",
	examples: [
		"partnerwire deliveries purge --integration $INTEGRATION --status failed --dry-run",
		"partnerwire deliveries purge --integration $INTEGRATION --status failed --until 2026-11-01T00:00:00Z --yes",
	],
	args: {
		...selectionFlags,
		status: {
			type: "string",
			description: "delivered, failed, dropped, held",
			required: true,
			valueHint: "list",
		},
		yes: { type: "boolean", description: "Really remove them" },
		...connectFlags,
	},
	async run({ args }) {
		const { client, output } = connect(args);
		const body = {
			...readSelection(args),
			statuses: readList(args.status, "--status", PurgeableStatus.options),
		};
		if (!body.dry_run && args.yes !== true)
			throw new UsageError(
				"what is purged is gone: count it with --dry-run, then give --yes",
			);
		const progress = createProgress();
		let purged = 0;
		for (;;) {
			const done = await client.purgeWebhookEvents({ body });
			purged += done.purged;
			if (done.complete) {
				progress.end();
				const said = body.dry_run
					? `${done.matched} deliveries would be removed`
					: `${purged} deliveries were removed`;
				const matched = body.dry_run ? done.matched : purged;
				return output.say({ ...done, matched, purged }, said);
			}
			progress.show(`${purged} deliveries were removed so far`);
		}
	},
});
