import { randomUUID } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { expect, test } from "vitest";
import { listenHttp, listenRaw } from "../kit/endpoints/receivers.ts";
import { startDemoService } from "../kit/program/demo-service.ts";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const SECRET = randomUUID();

const trigger = (url: string, ...more: string[]) =>
	runPartnerwire([
		"trigger",
		"lead_created",
		"--url",
		url,
		"--secret",
		SECRET,
		"--json",
		...more,
	]);

test("trigger reaches listen, verified, with the members that were set", async () => {
	const listen = startPartnerwire([
		"listen",
		"--secret",
		SECRET,
		"--port",
		"0",
		"--json",
	]);
	const url = String((await listen.line("ready")).url);
	const sent = await trigger(
		url,
		"--set",
		"lead.email=a@b.example",
		"--set=lead.status=qualified",
	);
	expect(sent).toMatchObject({ code: 0, stderr: "" });
	expect(await listen.line("received")).toMatchObject({
		status: 200,
		outcome: "handled",
		eventId: "lead_created",
	});

	const forged = await runPartnerwire([
		"trigger",
		"deal_created",
		"--url",
		url,
		"--secret",
		randomUUID(),
	]);
	expect(forged.code).toBe(1);
	expect(forged.stderr).toContain("1 of 1 were not delivered");
	expect(await listen.line("received")).toMatchObject({
		status: 401,
		outcome: "rejected",
	});
	expect(await listen.stop("SIGINT")).toBe(0);
});

test("trigger --standard-webhooks signs by Standard Webhooks, with a secret in either form", async () => {
	const whsec = `whsec_${Buffer.from(SECRET).toString("base64")}`;
	const verified: unknown[] = [];
	const { url } = await listenHttp(async (request, response) => {
		let body = "";
		for await (const chunk of request.setEncoding("utf8")) body += chunk;
		const { headers } = request;
		verified.push(
			headers["webhook-id"] &&
				new Webhook(whsec).verify(body, headers as Record<string, string>),
		);
		response.end();
	});
	for (const flags of [
		["--standard-webhooks"],
		["--standard-webhooks", "--secret", whsec],
		[],
	])
		expect((await trigger(url, ...flags)).code).toBe(0);
	const lead = expect.objectContaining({ lead: expect.anything() });
	expect(verified).toEqual([lead, lead, undefined]);
});

test.each([
	["--fail", "1", 500],
	["--status", "204", 204],
] as const)(
	"listen %s %s makes the delivery fail, and the next of a failed one succeeds",
	async (flag, value, status) => {
		const listen = startPartnerwire([
			"listen",
			"--secret",
			SECRET,
			"--port",
			"0",
			"--json",
			flag,
			value,
		]);
		const url = String((await listen.line("ready")).url);
		const first = await trigger(url);
		expect(first.code).toBe(1);
		expect(JSON.parse(first.stdout)).toMatchObject({
			delivered: false,
			status,
		});
		expect((await trigger(url)).code).toBe(flag === "--fail" ? 0 : 1);
	},
);

test("listen --forward passes verified requests on and answers what that receiver answers", async () => {
	const target = startPartnerwire([
		"listen",
		"--secret",
		SECRET,
		"--port",
		"0",
		"--json",
		"--fail",
		"1",
	]);
	const targetUrl = String((await target.line("ready")).url);
	const listen = startPartnerwire([
		"listen",
		"--secret",
		SECRET,
		"--port",
		"0",
		"--json",
		"--forward",
		targetUrl,
	]);
	const url = String((await listen.line("ready")).url);
	expect((await trigger(url)).code).toBe(1);
	expect(await listen.line("forwarded")).toMatchObject({ status: 500 });
	expect((await trigger(url)).code).toBe(0);
	expect(await listen.line("forwarded")).toMatchObject({ status: 200 });
});

test("token sign and inspect agree, and the wrong secret exits 1", async () => {
	const signed = await runPartnerwire([
		"token",
		"sign",
		"--secret",
		SECRET,
		"--json",
	]);
	const { token } = JSON.parse(signed.stdout) as { token: string };
	const seen = await runPartnerwire([
		"token",
		"inspect",
		token,
		"--secret",
		SECRET,
		"--json",
	]);
	expect(JSON.parse(seen.stdout)).toMatchObject({
		verdict: "valid",
		claims: { event_id: "lead_created" },
	});
	const wrong = await runPartnerwire([
		"token",
		"inspect",
		token,
		"--secret",
		randomUUID(),
		"--json",
	]);
	expect(wrong).toMatchObject({
		code: 1,
		stderr: expect.stringContaining("SIGNATURE_INVALID"),
	});
	expect((await runPartnerwire(["token", "inspect", "nonsense"])).code).toBe(1);
});

test("integration create, list, test, pause, resume and rotate work against a running service", async () => {
	const { url, keys } = await startDemoService(createTempFolder());
	const env = { PARTNERWIRE_URL: url, PARTNERWIRE_API_KEY: keys.full };
	const run = async (...args: string[]) => {
		const { code, stdout } = await runPartnerwire(
			["integration", ...args, "--json"],
			{ env },
		);
		return { code, seen: JSON.parse(stdout) };
	};
	const listen = startPartnerwire([
		"listen",
		"--secret",
		SECRET,
		"--port",
		"0",
		"--json",
	]);
	const webhookUrl = String((await listen.line("ready")).url);

	const { seen: created } = await run(
		"create",
		"--label",
		"CRM",
		"--webhook-url",
		webhookUrl,
		"--events",
		" lead_created , ",
	);
	expect(created).toMatchObject({
		label: "CRM",
		event_ids: ["lead_created"],
		integration_uuid: expect.any(String),
	});
	expect((await run("list")).seen).not.toHaveProperty("integration_uuid");

	const { code, seen: attempt } = await run(
		"test",
		created.id,
		"--event",
		"deal_created",
	);
	expect(code).toBe(1);
	expect(attempt).toMatchObject({
		delivered: false,
		response: { status: 401 },
		failure: { class: "client_error" },
	});
	expect(JSON.stringify(attempt)).not.toContain(created.integration_uuid);

	expect(
		(await run("pause", created.id, "--reason", "maintenance")).seen,
	).toMatchObject({ status: "paused" });
	expect((await run("resume", created.id, "--rate", "10")).seen).toMatchObject({
		status: "active",
	});
	const { seen: rotated } = await run("rotate", created.id, "--now");
	expect(rotated.integration_uuid).not.toBe(created.integration_uuid);
});

test("people read that a list is empty, and why an integration is paused", async () => {
	const { url, keys, client } = await startDemoService(createTempFolder());
	const env = { PARTNERWIRE_URL: url, PARTNERWIRE_API_KEY: keys.full };
	const say = async (...args: string[]) => {
		const { code, stdout } = await runPartnerwire(args, { env });
		expect(code).toBe(0);
		return stdout;
	};
	expect(await say("integration", "list")).toBe("no integrations\n");
	expect(await say("integration", "list", "--json")).toBe("");
	expect(await say("deliveries", "list")).toBe("no deliveries\n");
	expect(await say("ledger")).toBe("no integrations\n");

	const { id } = await client.createIntegration({
		body: { label: "CRM", webhook_url: "http://127.0.0.1:9/hook" },
	});
	await say("integration", "pause", id, "--reason", "upgrade\u001b[2J");
	const [line, ...below] = (await say("integration", "list")).split("\n");
	expect(line).toMatch(new RegExp(`^${id}  paused  CRM  `));
	expect(below).toEqual(["    paused: upgrade\\u001b[2J", ""]);
});

test("people read where an answer with a status breaks HTTP", async () => {
	const { url, keys, client } = await startDemoService(createTempFolder());
	const receiver = await listenRaw((socket) =>
		socket.end(
			"HTTP/1.1 200 OK\r\ncontent-length: 0\r\ncontent-length: 1\r\n\r\n",
		),
	);
	const { id } = await client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	const { code, stdout } = await runPartnerwire(["integration", "test", id], {
		env: { PARTNERWIRE_URL: url, PARTNERWIRE_API_KEY: keys.full },
	});
	expect(code).toBe(1);
	expect(stdout).toMatch(/^200 in \d+ ms\n.*\(.*content-length.*\)\nfailed$/im);
});
