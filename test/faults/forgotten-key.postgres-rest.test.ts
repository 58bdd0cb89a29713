import { once } from "node:events";
import { createClient } from "@partnerwire/sdk";
import { expect, test } from "vitest";
import { newDatabase } from "../kit/database/database.ts";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import { findPartnership } from "../kit/program/demo-service.ts";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";

const OLD = "0123456789abcdef".repeat(4);
const NEXT = "fedcba9876543210".repeat(4);

/** A process that stays up, with its exit code and its output. */
function start(args: readonly string[], env: Record<string, string>) {
	const started = startPartnerwire([...args, "--json"], { env });
	let log = "";
	started.child.stderr?.on("data", (chunk) => {
		log += chunk;
	});
	const ended = once(started.child, "close");
	return {
		...started,
		ended: async () => [(await ended)[0], log.trim().split("\n")],
	};
}

test("whoever was forgotten when the key was changed ends with one sentence once it needs a secret, and attempts nothing", async () => {
	const database = await newDatabase();
	const env = { PARTNERWIRE_DATABASE: database, PARTNERWIRE_SECRET_KEY: OLD };
	const api = [...["serve", "--dev", "--no-worker", "--port", "0"]];
	const first = start([...api, "--demo"], env);
	const { keys } = await first.line("seeded");
	const open = async ({ line }: typeof first) =>
		createClient({
			baseUrl: String((await line("ready")).url),
			apiKey: (keys as { full: string }).full,
		});
	const client = await open(first);
	const receiver = await openCountingReceiver();
	const { id } = await client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	const worker = start(["worker", "--dev"], env);
	await worker.line("ready");

	const rekeyed = await runPartnerwire(["secrets", "rekey", "--yes"], {
		env: { ...env, PARTNERWIRE_NEXT_SECRET_KEY: NEXT },
	});
	expect([rekeyed.code, rekeyed.stderr]).toEqual([0, ""]);
	const next = { ...env, PARTNERWIRE_SECRET_KEY: NEXT };
	const other = await open(start(api, next));
	const partnership_uuid = await findPartnership(other);
	await other.createLead({ body: { partnership_uuid } });
	const params = { integration_id: id };
	await expect(client.revealIntegrationSecret({ params })).rejects.toThrow();

	for (const forgotten of [worker, first]) {
		const [code, lines] = await forgotten.ended();
		expect(code).toBe(1);
		expect(lines).toHaveLength(1);
		expect(JSON.parse(lines[0])).toMatchObject({
			level: "error",
			message: expect.stringMatching(
				/^SecretKeyError: .* another secret key \(id \w+\) than this process has \(id \w+\)\.$/,
			),
		});
	}
	const { data } = await other.listWebhookEvents({
		query: { integration_id: id },
	});
	expect(data).toMatchObject([{ attempt_count: 0 }]);
	expect(receiver.counts().requests).toBe(0);
	const again = await runPartnerwire(["worker"], { env });
	expect([again.code, again.stderr.trim().split("\n")]).toEqual([
		1,
		[expect.stringMatching(/secret key .* is not the one/)],
	]);
});
