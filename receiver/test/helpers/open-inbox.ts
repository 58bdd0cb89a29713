import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InboxSettled } from "@partnerwire/receiver/inbox";
import {
	type SqliteInboxOptions,
	sqliteInbox,
} from "@partnerwire/receiver/sqlite";
import { onTestFinished } from "vitest";

/** A new file for an inbox, in a folder that is removed when the test ends. */
export function newInboxFile(): string {
	const folder = mkdtempSync(join(tmpdir(), "partnerwire-inbox-"));
	onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
	return join(folder, "inbox.db");
}

/** An inbox that polls and retries at once, and the results that it reports. */
export function openInbox(
	options: SqliteInboxOptions = {},
	file = newInboxFile(),
) {
	const told: InboxSettled[] = [];
	const waiting: (() => void)[] = [];
	const inbox = sqliteInbox(file, {
		pollMs: 5,
		retryBaseMs: 1,
		retryMaxMs: 1,
		onSettled: (settled) => {
			told.push(settled);
			for (const check of [...waiting]) check();
		},
		...options,
	});
	onTestFinished(() => inbox.close());
	return {
		inbox,
		file,
		told,
		/** Resolves when this many attempts have ended. */
		settled: (count: number) =>
			new Promise<InboxSettled[]>((resolve) => {
				const check = () => {
					if (told.length < count) return;
					waiting.splice(waiting.indexOf(check), 1);
					resolve(told);
				};
				waiting.push(check);
				check();
			}),
		outcomes: () => told.map(({ outcome }) => outcome),
	};
}
