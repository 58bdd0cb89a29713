/* `partnerwire deliveries replay`, `replays`, `cancel` and `purge`: jobs on many deliveries of a running service. */
import { setTimeout as sleep } from "node:timers/promises";
import {
	PurgeableStatus,
	ReplayableStatus,
	type WebhookReplay,
} from "@partnerwire/contract";
import type { Client } from "@partnerwire/sdk";
import { EVENT_IDS } from "@partnerwire/wire";
import { connect } from "../connect.ts";
import { defineCommand } from "../define-command.ts";
import { printable } from "../output/output.ts";
import { printPages } from "../output/print-pages.ts";
import { createProgress } from "../output/progress.ts";
import {
	option,
	required,
	toggle,
	type ValuesOf,
	word,
} from "../settings/flag.ts";
import { id, integer, listOf, time } from "../settings/readers.ts";
import { clientSettings } from "../settings/settings.ts";
import { UsageError } from "../usage-error.ts";

const FOLLOW_MS = 1000;

const selectionFlags = {
	integration: required("id", "The integration's id", id),
	since: option("time", "Made at or after this time", time),
	until: option("time", "Made before this time", time),
	event: option(
		"list",
		"Event ids separated by commas (default all)",
		listOf(EVENT_IDS),
		{ words: EVENT_IDS },
	),
	dryRun: toggle("Only count; change nothing"),
};

const toSelection = (flags: ValuesOf<typeof selectionFlags>) => ({
	integration_id: flags.integration,
	dry_run: flags.dryRun,
	since: flags.since,
	until: flags.until,
	event_ids: flags.event,
});

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

export const replay = defineCommand({
	name: "replay",
	description:
		"Replay deliveries at a rate: a job of the service, which goes on when this command is stopped",
	examples: [
		"partnerwire deliveries replay --integration $INTEGRATION --dry-run",
		"partnerwire deliveries replay --integration $INTEGRATION --status failed,dropped --since 2026-12-01T00:00:00Z --rate 10",
	],
	flags: {
		...selectionFlags,
		status: option(
			"list",
			"delivered, failed, dropped, pending (default failed)",
			listOf(ReplayableStatus.options),
		),
		rate: option("n", "Deliveries a second (default 50)", integer(1, 10_000)),
		fresh: toggle("As new deliveries, each with a jti of its own"),
		wait: toggle(
			"Show the progress until the job has ended (the default)",
			"End as soon as the job is made",
		),
		...clientSettings,
	},
	async run({ flags, output }) {
		const client = connect(flags);
		const made = await client.createWebhookReplay({
			body: {
				...toSelection(flags),
				fresh: flags.fresh,
				statuses: flags.status,
				rate_per_second: flags.rate,
			},
		});
		if (made.uuid === null)
			return output.say(
				made,
				`${made.counts.matched} deliveries would be replayed`,
			);
		output.say(made, toLine(made));
		if (!flags.wait) return;
		const ended = await follow(client, made.uuid);
		output.say(ended, toLine(ended));
	},
});

export const replays = defineCommand({
	name: "replays",
	description: "List the replays and their progress, newest first",
	examples: ["partnerwire deliveries replays"],
	flags: clientSettings,
	run({ flags, output }) {
		const client = connect(flags);
		return printPages((query) => client.listWebhookReplays({ query }), {
			output,
			toLine,
			empty: "no replays",
		});
	},
});

export const cancel = defineCommand({
	name: "cancel",
	description: "Cancel a replay; what it gave back already still goes",
	examples: ["partnerwire deliveries cancel $REPLAY"],
	flags: { id: word("The replay's uuid", id), ...clientSettings },
	async run({ flags, output }) {
		const cancelled = await connect(flags).cancelWebhookReplay({
			params: { uuid: flags.id },
		});
		output.say(cancelled, toLine(cancelled));
	},
});

export const purge = defineCommand({
	name: "purge",
	description:
		"Remove deliveries for good, with their attempts; the ledger counts them",
	examples: [
		"partnerwire deliveries purge --integration $INTEGRATION --status failed --dry-run",
		"partnerwire deliveries purge --integration $INTEGRATION --status failed --until 2026-11-01T00:00:00Z --yes",
	],
	flags: {
		...selectionFlags,
		status: required(
			"list",
			"delivered, failed, dropped, held",
			listOf(PurgeableStatus.options),
		),
		yes: toggle("Really remove them"),
		...clientSettings,
	},
	async run({ flags, output }) {
		const client = connect(flags);
		const body = { ...toSelection(flags), statuses: flags.status };
		if (!body.dry_run && !flags.yes)
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
