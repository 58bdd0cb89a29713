import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { TEST_SECRET } from "@partnerwire/receiver/testing";
import { expect, onTestFinished, test, vi } from "vitest";
import { freePort } from "../kit/free-port.ts";
import {
	type DemoService,
	findPartnership,
	startDemoService,
} from "../kit/program/demo-service.ts";
import {
	runPartnerwire,
	startPartnerwire,
} from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/** Resolves when the service answers. */
const read = (url: string) =>
	vi.waitFor(async () => (await fetch(url)).text(), { timeout: 30_000 });

const droppedBy = async (metricsUrl: string) => {
	const metrics = await read(metricsUrl);
	return Number(
		/^partnerwire_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1],
	);
};

/** Makes the service write log lines: each lead causes a webhook that no receiver accepts. */
async function failWebhooks({ client }: DemoService): Promise<void> {
	await client.createIntegration({
		body: {
			label: "Nobody",
			webhook_url: `http://127.0.0.1:${await freePort()}/hook`,
		},
	});
	const partnership_uuid = await findPartnership(client);
	for (let made = 0; made < 3; made++)
		await client.createLead({ body: { partnership_uuid } });
}

async function expectDropping(service: DemoService): Promise<void> {
	await failWebhooks(service);
	await expect
		.poll(() => droppedBy(`${service.url}/metrics`))
		.toBeGreaterThanOrEqual(3);
	expect(await read(`${service.url}/healthz`)).toContain("ok");
	expect(await service.stop()).toBe(0);
}

test("a log on a full disk: lines are dropped and counted, and the service goes on", async () => {
	await expectDropping(
		await startDemoService(createTempFolder(), { redirect: "2>/dev/full" }),
	);
});

test("a log shipper that ends: lines are dropped and counted, and the service goes on", async () => {
	const folder = createTempFolder();
	const fifo = join(folder, "log");
	execFileSync("mkfifo", [fifo]);
	const shipper = spawn("cat", [fifo], { stdio: "ignore" });
	onTestFinished(() => void shipper.kill());
	const service = await startDemoService(folder, {
		redirect: '2>"$LOG"',
		env: { LOG: fifo },
	});
	shipper.kill();
	await once(shipper, "exit");
	await expectDropping(service);
});

const serving = (port: number) => ["--port", String(port), "--json"];
/** Each command that stays up: how to start it on a port, and the URL where it then answers. */
const STAY_UP: Record<
	string,
	[args: (port: number) => string[], path: string, counts: boolean]
> = {
	serve: [(port) => ["serve", ...serving(port)], "metrics", true],
	demo: [(port) => ["demo", ...serving(port)], "metrics", true],
	worker: [
		(port) => ["worker", "--metrics-port", String(port), "--json"],
		"metrics",
		true,
	],
	emulator: [
		(port) => ["serve", "--emulator", ...serving(port)],
		"healthz",
		false,
	],
	listen: [
		(port) => ["listen", "--secret", TEST_SECRET, ...serving(port)],
		"hook",
		false,
	],
};

test.each(Object.entries(STAY_UP))(
	"%s goes on where not even its ready line can be written",
	async (_, [toArgs, path, counts]) => {
		const cwd = createTempFolder();
		await runPartnerwire(["company", "create", "Acme"], { cwd });
		const port = await freePort();
		const started = startPartnerwire(toArgs(port), {
			cwd,
			redirect: ">/dev/full 2>/dev/full",
		});
		const url = `http://127.0.0.1:${port}/${path}`;
		if (counts) await expect.poll(() => droppedBy(url)).toBeGreaterThan(0);
		// `listen` prints a line for each request.
		for (let asked = 0; asked < 3; asked++) await read(url);
		expect(await started.stop()).toBe(0);
	},
);

test("listen ends in order when whoever reads what arrived has ended", async () => {
	const started = startPartnerwire(
		["listen", "--secret", TEST_SECRET, "--port", "0", "--json"],
		{},
	);
	const url = String((await started.line("ready")).url);
	let said = "";
	started.child.stderr?.on("data", (chunk) => {
		said += String(chunk);
	});
	const exited = once(started.child, "exit");
	started.child.stdout?.destroy();
	expect((await fetch(url, { method: "POST" })).status).toBe(401);
	expect(await exited).toEqual([0, null]);
	expect(said).not.toContain("EPIPE");
});

test("listen goes on when what is typed cannot be read any more", async () => {
	const args = ["listen", "--secret", TEST_SECRET, "--port", "0", "--json"];
	// A folder can be opened but not read. A terminal that is gone behaves in the same way.
	const started = startPartnerwire([...args, "--interactive"], {
		redirect: "</",
	});
	const url = String((await started.line("ready")).url);
	expect((await fetch(url, { method: "POST" })).status).toBe(401);
	await started.line("received");
	expect(await started.stop()).toBe(0);
});

test("a service stops although whoever reads its output stands still", async () => {
	const started = startPartnerwire(
		["listen", "--secret", TEST_SECRET, "--port", "0", "--json"],
		{},
	);
	const url = String((await started.line("ready")).url);
	started.child.stdout?.pause();
	// More than a pipe can hold.
	const lines = Array.from({ length: 1500 }, () =>
		fetch(url, { method: "POST" }),
	);
	await Promise.all(lines);
	expect(await started.stop()).toBe(0);
});

test("a command whose output cannot be written says so and exits 1; one that nobody reads exits as usual", async () => {
	const help = await runPartnerwire(["--help"], { redirect: ">/dev/full" });
	expect(help).toEqual({
		code: 1,
		stdout: "",
		stderr: "partnerwire: the output cannot be written (ENOSPC)\n",
	});
	const json = await runPartnerwire(
		["token", "sign", "--secret", TEST_SECRET, "--json"],
		{
			redirect: ">/dev/full",
		},
	);
	expect([json.code, JSON.parse(json.stderr)]).toEqual([
		1,
		expect.objectContaining({ event: "error", code: "failed" }),
	]);
	// Its exit code depends on its findings, not on whether its output could be written.
	const refused = await runPartnerwire(["token", "inspect", "x"], {
		redirect: "2>/dev/full",
	});
	expect(refused.code).toBe(1);
	const wrong = await runPartnerwire(["serv"], { redirect: "2>/dev/full" });
	expect(wrong.code).toBe(2);
});

test("deliveries list | head -1 asks for no more pages, and says nothing", async () => {
	const service = await startDemoService(createTempFolder());
	await failWebhooks(service);
	const env = {
		PARTNERWIRE_URL: service.url,
		PARTNERWIRE_API_KEY: service.keys.full,
	};
	const list = ["deliveries", "list", "--limit", "1000000", "--json"];
	expect(
		(await runPartnerwire(list, { env })).stdout.split("\n").length,
	).toBeGreaterThan(3);
	expect(
		await runPartnerwire(list, { env, redirect: "| head -1" }),
	).toMatchObject({
		code: 0,
		stderr: "",
	});
	expect(await runPartnerwire(list, { env, isClosed: true })).toEqual({
		code: 0,
		stdout: "",
		stderr: "",
	});
});
