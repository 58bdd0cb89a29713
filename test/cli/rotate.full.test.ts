import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startDemoService } from "../kit/program/demo-service.ts";
import { runPartnerwire } from "../kit/program/partnerwire.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

const BIN = join(import.meta.dirname, "../../admin/bin/partnerwire.js");
const PAST = "2020-01-01T00:00:00Z";

/** A service with an integration, and the output of rotating its secret. */
async function openIntegration() {
	const service = await startDemoService(createTempFolder());
	const { url, keys, client } = service;
	const { id } = await client.createIntegration({
		body: { label: "CRM", webhook_url: "http://127.0.0.1:9/hook" },
	});
	const params = { integration_id: id };
	const env = { PARTNERWIRE_URL: url, PARTNERWIRE_API_KEY: keys.full };
	const run = (...args: string[]) =>
		runPartnerwire(["integration", ...args], { env });
	return {
		id,
		env,
		rotate: (...flags: string[]) => run("rotate", id, ...flags),
		list: async () => (await run("list")).stdout,
		reveal: async (...flags: string[]) =>
			(await run("reveal", id, ...flags)).stdout,
		/** The current secret, the next one and its cutover. */
		read: () => client.revealIntegrationSecret({ params }),
	};
}

const secretIn = (stdout: string) => /^secret {2}(\S+)$/m.exec(stdout)?.[1];

test("reveal shows the secrets, plain and for Standard Webhooks, and when the next one signs", async () => {
	const { rotate, read, reveal } = await openIntegration();
	const whsec = (secret = "") =>
		`whsec_${Buffer.from(secret).toString("base64")}`;
	const linesOf = (name: string, secret: string) => [
		`${name.padEnd(6)}  ${secret}`,
		`        ${whsec(secret)}  for Standard Webhooks libraries`,
	];
	const { integration_uuid } = await read();
	const shown = linesOf("secret", integration_uuid);
	expect((await reveal()).trim().split("\n")).toEqual(shown);
	const next = secretIn((await rotate("--cutover-in", "1h")).stdout) ?? "";
	expect((await reveal()).trim().split("\n")).toEqual([
		...shown,
		...linesOf("next", next),
		expect.stringMatching(/^The next one begins to sign tokens at 20.*Z\.$/),
	]);
	expect(JSON.parse(await reveal("--json"))).toEqual(await read());
});

test("a secret takes over at once only when that is said; a past time or nothing said leaves it", async () => {
	const { rotate, read } = await openIntegration();
	const before = await read();
	for (const [flags, code, said] of [
		[[], 2, /--now/],
		[["--json"], 2, /--now/],
		[["--cutover-at", PAST], 1, /cutover_at: 2020-01-01.* is past/],
		[["--cutover-at", PAST, "--replace"], 1, /is past/],
	] as const) {
		const refused = await rotate(...flags);
		expect([refused.code, refused.stdout]).toEqual([code, ""]);
		expect(refused.stderr).toMatch(said);
	}
	expect(await read()).toEqual(before);
	const { code, stdout } = await rotate("--now");
	expect([code, stdout]).toEqual([
		0,
		expect.stringContaining("It begins to sign now."),
	]);
	expect(await read()).toMatchObject({
		integration_uuid: secretIn(stdout),
		next_integration_uuid: null,
		cutover_at: null,
	});
});

test("a rotation is planned, shown by the list, kept, replaced and cancelled", async () => {
	const { rotate, read, list } = await openIntegration();
	const { integration_uuid } = await read();
	const earliest = Date.now() + 2 * 86_400_000;
	const planned = await rotate("--cutover-in", "2d");
	const { cutover_at, next_integration_uuid } = await read();
	expect(planned.stdout).toContain(
		`It begins to sign at ${cutover_at}; until then the old one does.`,
	);
	expect(secretIn(planned.stdout)).toBe(next_integration_uuid);
	const cutoverMs = Date.parse(cutover_at as string);
	expect(cutoverMs).toBeGreaterThanOrEqual(earliest);
	expect(cutoverMs).toBeLessThanOrEqual(Date.now() + 2 * 86_400_000);
	expect(await list()).toContain(
		`\n    rotation: a new secret signs from ${cutover_at} on\n`,
	);

	const again = await rotate("--now");
	expect([again.code, again.stdout]).toEqual([1, ""]);
	expect(again.stderr).toContain(`a rotation is planned for ${cutover_at}`);
	expect((await read()).next_integration_uuid).toBe(next_integration_uuid);

	const later = "2999-12-01T00:00:00+01:00";
	const replaced = await rotate("--cutover-at", later, "--replace");
	expect(await read()).toMatchObject({
		integration_uuid,
		next_integration_uuid: secretIn(replaced.stdout),
		cutover_at: "2999-11-30T23:00:00.000Z",
	});

	for (let times = 0; times < 2; times++) {
		const { code, stdout } = await rotate("--cancel");
		expect([code, stdout]).toEqual([
			0,
			"CRM has no planned rotation: the secret that signs now goes on signing\n",
		]);
		expect(await read()).toMatchObject({
			integration_uuid,
			next_integration_uuid: null,
			cutover_at: null,
		});
	}
	expect(await list()).not.toContain("rotation:");
});

/** Runs the command on a terminal made by `script`. Types the answer when the question appears. */
async function onTerminal(
	service: { id: string; env: object },
	answer: string,
) {
	const words = [process.execPath, BIN, "integration", "rotate", service.id];
	const child = spawn("script", ["-qec", words.join(" "), "/dev/null"], {
		env: { ...process.env, ...service.env, NO_COLOR: "1" },
	});
	let shown = "";
	child.stdout.on("data", (chunk) => {
		shown += String(chunk);
		if (shown.includes("[y/N]")) child.stdin.end(answer);
	});
	const [code] = await once(child, "close");
	return { code, shown };
}

test.each([
	["yes", "y\n", 0],
	["no", "n\n", 1],
	["nothing", "\n", 1],
	["the end of the input", "\u0004", 1],
	["an interruption", "\u0003", 1],
])(
	"on a terminal it asks, and %s is an answer",
	async (_, answer, expected) => {
		const service = await openIntegration();
		const before = await service.read();
		const { code, shown } = await onTerminal(service, answer);
		expect(shown).toContain("Rotate now? [y/N]");
		const after = await service.read();
		expect([code, after.integration_uuid !== before.integration_uuid]).toEqual([
			expected,
			expected === 0,
		]);
		expect(shown).toContain(
			expected === 0 ? "It begins to sign now." : "nothing was rotated",
		);
	},
);
