// The programs of docs/standard-webhooks.md take real webhooks.
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { send } from "@partnerwire/dispatcher";
import type { Receiver } from "@partnerwire/receiver";
import type { EventBody } from "@partnerwire/wire";
import { Webhook } from "standardwebhooks";
import { expect, onTestFinished, test, vi } from "vitest";
import { blocksOf } from "../kit/code-blocks.ts";
import { readSource } from "../kit/sources.ts";

const SECRET = "6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11";
const OTHER = "0b7a7c52-31a4-4f6d-8a11-5c1f3d2e4b60";
const WHSEC = `whsec_${Buffer.from(SECRET).toString("base64")}`;
const code = blocksOf("docs/standard-webhooks.md").filter(
	({ language }) => language === "js",
);

/** Runs a block of the page, in this folder, so that it finds the workspace's packages. */
async function run<Exports>(index: number, env: Record<string, string>) {
	const folder = mkdtempSync(join(import.meta.dirname, ".standard-"));
	onTestFinished(() => rmSync(folder, { recursive: true }));
	for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
	onTestFinished(() => {
		vi.unstubAllEnvs();
		vi.restoreAllMocks();
	});
	const log = vi.spyOn(console, "log").mockImplementation(() => {});
	const file = join(folder, "block.js");
	writeFileSync(file, code[index]?.code ?? "");
	const exports: Exports = await import(/* @vite-ignore */ file);
	return { exports, log };
}

const ID = "0197a4a0-0000-7000-8000-0000000000d1";
const fixture = readSource("fixtures/events/lead_created.json");
const { lead } = JSON.parse(fixture) as EventBody<"lead_created">;

test("the server of docs/standard-webhooks.md takes what the dispatcher sends, and nothing that another secret signed", async () => {
	const env = { STANDARD_WEBHOOK_SECRET: WHSEC, PORT: "0" };
	const { exports, log } = await run<{ server: Server }>(0, env);
	const { server } = exports;
	if (!server.listening) await once(server, "listening");
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const statuses = [];
	for (const secret of [SECRET, OTHER]) {
		const { status } = await send({
			url: `http://127.0.0.1:${port}/`,
			secret,
			event: "lead_created",
			entity: lead,
			companyUuid: ID,
			userUuid: ID,
			jti: ID,
			standardWebhooks: true,
			wireOptions: { allowHttp: true, allowPrivate: true },
		});
		statuses.push(status);
	}
	expect(statuses).toEqual([200, 401]);
	expect(log.mock.calls).toEqual([[ID, lead.uuid]]);
});

test("the receiver of docs/standard-webhooks.md takes the headers without a token", async () => {
	const env = { PARTNERWIRE_WEBHOOK_SECRET: WHSEC };
	const { exports, log } = await run<{ receiver: Receiver }>(1, env);
	const body = JSON.stringify({ lead });
	const now = new Date();
	const headers = {
		"webhook-id": "one",
		"webhook-timestamp": String(Math.floor(now.getTime() / 1000)),
		"webhook-signature": new Webhook(WHSEC).sign("one", now, body),
	};
	const init = { method: "POST", headers, body };
	const { status } = await exports.receiver.fetch(
		new Request("http://x/", init),
	);
	expect(status).toBe(200);
	expect(log.mock.calls).toEqual([["one", lead.uuid]]);
});
