import { cpSync } from "node:fs";
import { join } from "node:path";
import { sqliteInbox } from "@partnerwire/receiver/sqlite";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { createClient } from "@partnerwire/sdk";
import Sqlite from "better-sqlite3";
import { startEmulator } from "partnerwire/emulator";
import { expect, vi } from "vitest";
import { createTempFolder } from "../temp-folder.ts";
import { findPartnership } from "./demo-service.ts";
import { runPartnerwire, startPartnerwire } from "./partnerwire.ts";

/** A service, databases and files for the examples of all commands. */
export interface CommandWorld {
	/** Flags that every command can take from the environment. */
	readonly env: Record<string, string>;
	/** A folder with databases of its own. */
	openFolder(): string;
	/** Replaces variables, addresses and folders in an example's words by existing ones, which the command may use up. */
	fill(words: readonly string[]): Promise<string[]>;
	close(): Promise<void>;
}

/** Creates a database with a company, a user and a key, another database, and a receiver's inbox with a dead event. */
async function makeDatabases(folder: string) {
	const run = async (...args: string[]) => {
		const ended = await runPartnerwire([...args, "--json"], { cwd: folder });
		expect(ended).toMatchObject({ code: 0, stderr: "" });
		return JSON.parse(ended.stdout) as { uuid: string };
	};
	const { uuid: company } = await run("company", "create", "Acme");
	const user = await run(
		...["user", "create", "--email", "grace@acme.example"],
		...["--first-name", "Grace", "--last-name", "Hopper"],
	);
	const key = await run("key", "create", "--label", "First", "--read");
	for (const suffix of ["", ".key"])
		cpSync(
			join(folder, `partnerwire.db${suffix}`),
			join(folder, `my.db${suffix}`),
		);
	await fillInbox(join(folder, "inbox.db"));
	return { $COMPANY: company, $USER_UUID: user.uuid, $KEY_UUID: key.uuid };
}

/** Adds one dead event with the number that the examples name. */
async function fillInbox(path: string): Promise<void> {
	const { store, close } = sqliteInbox(path);
	await store.put({
		fingerprint: "v1:17",
		deliveryId: "c/17",
		entityId: "c/lead/17",
		sequence: 17,
		supersedes: false,
		eventId: "lead_created",
		body: '{"lead":{}}',
		envelope: '{"claims":{}}',
	});
	await close();
	const raw = new Sqlite(path);
	raw.exec("update partnerwire_inbox set id = 17, state = 'dead'");
	raw.close();
}

export async function openCommandWorld(): Promise<CommandWorld> {
	const databases = createTempFolder();
	const local: Record<string, string> = await makeDatabases(databases);
	const emulator = await startEmulator({ rateLimit: 0, retrySchedule: [0] });
	// Earlier than all times in examples.
	await emulator.clock.set("2026-10-01T00:00:00Z");
	const client = createClient({
		baseUrl: emulator.url,
		apiKey: emulator.keys.full,
	});
	emulator.faults.add({
		kind: "503",
		path: "/_emulator/hooks/down",
		times: null,
	});

	const partnership_uuid = await findPartnership(client);
	/** Adds an integration with one delivery in this state. A failed one has had its only attempt. */
	async function connect(status: "delivered" | "failed" | "held") {
		const path = status === "failed" ? "down" : "up";
		const { id } = await client.createIntegration({
			body: { label: "CRM", webhook_url: emulator.inbox.url(path) },
		});
		const params = { integration_id: id };
		if (status === "held") await client.pauseIntegration({ params, body: {} });
		await client.createLead({ body: { partnership_uuid } });
		// `expect.poll` works only in a test.
		return vi.waitFor(
			async () => {
				const { data } = await client.listWebhookEvents({ query: params });
				expect(data).toMatchObject([{ status }]);
				return { id, delivery: data[0]?.uuid as string };
			},
			{ timeout: 30_000 },
		);
	}

	/** Adds a job that waits because its integration is paused. */
	async function makeReplay(): Promise<string> {
		const { id } = await connect("held");
		const body = { integration_id: id, statuses: ["pending" as const] };
		const { uuid } = await client.createWebhookReplay({ body });
		return uuid as string;
	}

	const VALUES: Record<string, (line: string) => Promise<string>> = {
		$PARTNERWIRE_ALERT_SECRET: async () => TEST_SECRET,
		$TOKEN: async () => {
			const signed = ["token", "sign", "--secret", TEST_SECRET];
			return (await runPartnerwire(signed)).stdout.trim();
		},
		$INTEGRATION: async () => (await connect("delivered")).id,
		// Only a waiting delivery can be skipped.
		$DELIVERY: async (line) =>
			(await connect(line.includes("skip") ? "held" : "delivered")).delivery,
		$REPLAY: makeReplay,
		"http://127.0.0.1:4400/hook": openReceiver,
		"https://test.example/hook": openReceiver,
		"https://partnerwire.example": async () => emulator.url,
		// A file in the place of a server.
		"postgres://partnerwire@db/partnerwire": async () => "moved.db",
		"8080": async () => "0",
		"9464": async () => "0",
	};

	// Entries for the commands that list something.
	await connect("failed");
	await makeReplay();

	return {
		env: {
			PARTNERWIRE_URL: emulator.url,
			PARTNERWIRE_API_KEY: emulator.keys.full,
			PARTNERWIRE_WEBHOOK_SECRET: TEST_SECRET,
		},
		openFolder() {
			const folder = createTempFolder();
			cpSync(databases, folder, { recursive: true });
			return folder;
		},
		fill: (words) =>
			Promise.all(
				words.map(async (word) => {
					if (word.startsWith("/backups/"))
						return word.replace("/backups/", "copy-of-");
					const value = local[word] ?? (await VALUES[word]?.(words.join(" ")));
					if (value === undefined && word.startsWith("$"))
						throw new Error(`${word} stands for nothing: command-world.ts`);
					return value ?? word;
				}),
			),
		close: emulator.close,
	};
}

async function openReceiver(): Promise<string> {
	const listen = ["listen", "--secret", TEST_SECRET, "--port", "0", "--json"];
	return String((await startPartnerwire(listen).line("ready")).url);
}
