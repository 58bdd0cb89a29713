/* Opens the database of a receiver's inbox. The commands load it when they run. */
import {
	connectInTurn,
	isPostgresUrl,
	parsePostgresUrl,
} from "@partnerwire/core";
import type { Inbox } from "@partnerwire/receiver";
import { postgresInbox } from "@partnerwire/receiver/postgres";
import { sqliteInbox } from "@partnerwire/receiver/sqlite";
import { CommandError } from "./usage-error.ts";

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
export async function withInbox<Result>(
	{ database, table }: { database: string; table: string },
	work: (inbox: Inbox) => Promise<Result>,
): Promise<Result> {
	if (!isPostgresUrl(database)) {
		const inbox = sqliteInbox(database, { table, create: false });
		return work(inbox).finally(inbox.close);
	}
	const { urls } = parsePostgresUrl(database);
	try {
		const inbox = await connectInTurn(urls, async (url) => {
			const opened = postgresInbox(url, { table, createTable: false });
			try {
				await opened.list({ limit: 1 });
				return opened;
			} catch (error) {
				await opened.close();
				throw error;
			}
		});
		return await work(inbox).finally(inbox.close);
	} catch (error) {
		throw error instanceof CommandError ? error : toPostgresError(error, table);
	}
}
