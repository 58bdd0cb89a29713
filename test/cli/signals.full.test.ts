import { once } from "node:events";
import { cpSync, mkdirSync, readdirSync, watch } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { beforeAll, expect, test } from "vitest";
import { openCountingReceiver } from "../kit/endpoints/counting-receiver.ts";
import {
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";
import { listFiles, readSource } from "../kit/sources.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/** Every command that stays up. For those that need a database, `company create` has made it. */
const STAY_UP: Record<string, string[][]> = {
	serve: [
		["serve", "--port", "0"],
		["serve", "--port", "0", "--demo", "--dev", "--database", "new.db"],
		["serve", "--port", "0", "--emulator"],
	],
	worker: [["worker"], ["worker", "--metrics-port", "0"]],
	demo: [["demo", "--port", "0"]],
	listen: [
		["listen", "--port", "0", "--secret", TEST_SECRET],
		["listen", "--port", "0", "--secret", TEST_SECRET, "--https"],
	],
};

const made = createTempFolder();
beforeAll(async () => {
	await runPartnerwire(["company", "create", "Acme"], { cwd: made });
});

test("every command that waits for a signal is tried", () => {
	const waiting = listFiles("admin/src/cli/commands").filter((path) =>
		/\buntilStopped\(/.test(readSource(path)),
	);
	expect(waiting.sort()).toEqual(
		Object.keys(STAY_UP)
			.map((name) => `admin/src/cli/commands/${name}.ts`)
			.sort(),
	);
});

const MOMENTS = ["as it is started", "its first file", "its ready line"];
const CASES = Object.values(STAY_UP)
	.flat()
	.flatMap((args) =>
		MOMENTS.flatMap((moment) => [
			["SIGTERM" as const, moment, args] as const,
			["SIGINT" as const, moment, args] as const,
			// A terminal that is closed.
			["SIGHUP" as const, moment, args] as const,
		]),
	)
	// `listen` opens no file.
	.filter(([, moment, [name]]) => name !== "listen" || !/file/.test(moment))
	.filter(([signal, moment]) => signal !== "SIGHUP" || /ready/.test(moment));

test.each(CASES)(
	"%s at %s ends %j in order, with nothing left behind",
	async (signal, moment, args) => {
		const cwd = createTempFolder();
		const temp = join(cwd, "temp");
		cpSync(made, cwd, { recursive: true });
		mkdirSync(temp);
		const watchers = [cwd, temp].map((folder) => watch(folder));
		const touched = Promise.race(
			watchers.map((watcher) => once(watcher, "change")),
		);
		const env = { TMPDIR: temp };
		const started = startPartnerwire([...args, "--json"], { cwd, env });
		let said = "";
		started.child.stderr?.on("data", (chunk) => {
			said += String(chunk);
		});
		if (moment === "its first file") await touched;
		if (moment === "its ready line") await started.line("ready");
		const code = await started.stop(signal);
		for (const watcher of watchers) watcher.close();

		// Before the program's own code runs, the signal ends the process, and nothing is open.
		const isEarly = code === null && started.child.signalCode === signal;
		if (moment !== "as it is started" || !isEarly) expect(code).toBe(0);
		expect(said).toBe("");
		expect(readdirSync(temp)).toEqual([]);
		expect(readdirSync(cwd).filter((name) => /-(wal|shm)$/.test(name))).toEqual(
			[],
		);
	},
);

test("a second signal does not wait for the attempts, and nothing is lost by it", async () => {
	const held: ServerResponse[] = [];
	const receiver = await openCountingReceiver((response) => {
		held.push(response);
	});
	const folder = createTempFolder();
	const service = await startDemoService(folder);
	const { client } = service;
	await client.createIntegration({
		body: { label: "CRM", webhook_url: receiver.url },
	});
	const partnership_uuid = await findPartnership(client);
	await client.createLead({ body: { partnership_uuid } });
	await receiver.requests(1);
	service.child.kill("SIGTERM");
	// The server ends at once; the attempt is under way.
	await expect
		.poll(() =>
			fetch(service.url).then(
				() => true,
				() => false,
			),
		)
		.toBe(false);
	expect(service.child.exitCode).toBeNull();
	expect(await service.stop("SIGTERM")).toBe(130);

	const next = await startDemoService(folder, { keys: service.keys });
	const [delivery] = (await next.client.listWebhookEvents()).data;
	expect(["pending", "delivering"]).toContain(delivery?.status);
	for (const response of held) response.destroy();
	expect(await next.stop("SIGKILL")).toBe(null);
});
