import { type ChildProcess, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signedRequest, signTestToken } from "@partnerwire/receiver/testing";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { CHECKS, runTorture } from "../../admin/src/torture/run-torture.ts";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/migrating.md"), "utf8");
const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(
	([, code]) => code ?? "",
);
const PROGRAMS = [
	"jsonwebtoken",
	"express-jwt",
	"hono/jwt",
	"your own",
	"the receiver",
];
const HONO = 2;
const OWN = 3;
const RECEIVER = 4;
const secret = randomUUID();
/** Some programs never answer. The receiver waits 5 s for a body that never ends. */
const TIMEOUT_MS = 8_000;

// In the receiver's folder, so that the blocks find its packages.
const folder = mkdtempSync(join(ROOT, "receiver/test/.docs-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Program {
	readonly child: ChildProcess;
	readonly url: URL;
	/** The records of the events that its handler got. */
	readonly runs: string[];
}

/** Runs a block in a process of its own, as a reader who copies it does. */
async function start(index: number, flags: string[] = []): Promise<Program> {
	const child = fork(join(folder, `run-${index}.mjs`), {
		env: {
			...process.env,
			NODE_ENV: "test",
			PARTNERWIRE_WEBHOOK_SECRET: secret,
			PORT: "0",
		},
		execArgv: flags,
		stdio: ["ignore", "ignore", "ignore", "ipc"],
	});
	const runs: string[] = [];
	child.on("message", (message: { run?: string }) => {
		if (message.run) runs.push(message.run);
	});
	const [{ port }] = (await once(child, "message")) as [{ port: number }];
	return { child, runs, url: new URL(`http://127.0.0.1:${port}/hook`) };
}

/** The checks that each program fails, and how often it handles two copies of one delivery. */
const missed: string[][] = [];
const handled: number[] = [];
/** The status that each program answers if its handler throws. */
const failures: number[] = [];
const FAIL = "the handler throws";
/** The record of `signedRequest`, which no check sends. */
const RECORD = "0197a4a0-0000-7000-8000-000000000001";

async function measure(index: number): Promise<void> {
	// One failure must not hide the others.
	const { child, runs, url } = await start(index, [
		"--unhandled-rejections=warn",
	]);
	try {
		const request = await signedRequest({ secret, url: url.href });
		const copy = request.clone();
		for (const each of [request, copy])
			expect((await fetch(each)).status).toBe(200);
		const results = await runTorture({ url, secret, timeoutMs: TIMEOUT_MS });
		missed[index] = results
			.filter(({ passed }) => !passed)
			.map(({ check }) => check);
		// Counted later, because a run is reported apart from the answer.
		handled[index] = runs.filter((uuid) => uuid === RECORD).length;
		const failing = await signedRequest({
			secret,
			url: url.href,
			body: { lead: { uuid: "x", label: FAIL }, configuration: [] },
		});
		failures[index] = (await fetch(failing)).status;
	} finally {
		child.kill("SIGKILL");
	}
}

beforeAll(async () => {
	writeFileSync(
		join(folder, "handle.js"),
		`export async function handle(eventId, body) {
	if (body?.lead?.label === ${JSON.stringify(FAIL)}) throw new Error();
	process.send({ run: String(body?.lead?.uuid) });
}
`,
	);
	for (const [index, block] of blocks.entries()) {
		writeFileSync(join(folder, `block-${index}.mjs`), block);
		writeFileSync(
			join(folder, `run-${index}.mjs`),
			`import { server } from "./block-${index}.mjs";
const tell = () => process.send({ port: server.address().port });
if (server.listening) tell();
else server.once("listening", tell);
`,
		);
	}
	await Promise.all(PROGRAMS.map((_, index) => measure(index)));
});

test("the page has one program for each", () => {
	expect(blocks).toHaveLength(PROGRAMS.length);
});

test("the table is what the tests found", () => {
	const lines = CHECKS.filter(({ id }) =>
		missed.some((ids) => ids.includes(id)),
	).map(({ id, title }) => {
		const cells = missed.map((ids) => (ids.includes(id) ? "no" : "yes"));
		return `| ${title} | ${cells.join(" | ")} |`;
	});
	const once = handled.map((runs) => (runs === 1 ? "yes" : "no"));
	lines.push(`| two copies, handled once | ${once.join(" | ")} |`);
	const documented = page
		.slice(page.indexOf("## What the tests found"))
		.split("\n")
		.filter((line) => /^\| .* (yes|no) +\|$/.test(line))
		.map((line) => line.replace(/ +\|/g, " |"));
	expect(documented).toEqual(lines);
});

test("the receiver misses none, and handles a copy once", () => {
	expect(missed[RECEIVER]).toEqual([]);
	expect(handled).toEqual([2, 2, 2, 2, 1]);
});

test("a handler that throws is 500, which jsonwebtoken's `catch` makes a 401", () => {
	expect(failures).toEqual([401, 500, 500, 500, 500]);
});

test("hono/jwt refuses a token that is two seconds ahead", async () => {
	const answers = [];
	for (const index of [HONO, RECEIVER]) {
		const { child, url } = await start(index);
		onTestFinished(() => {
			child.kill("SIGKILL");
		});
		const iat = Math.floor(Date.now() / 1000) + 2;
		const claims = { iat, exp: iat + 60 };
		const options = { secret, url: url.href, claims };
		answers.push((await fetch(await signedRequest(options))).status);
	}
	expect(answers).toEqual([401, 200]);
});

test("one signed token whose payload is not JSON ends the process of code of one's own", async () => {
	const { child, url } = await start(OWN);
	onTestFinished(() => {
		child.kill("SIGKILL");
	});
	const exited = once(child, "exit");
	const token = await signTestToken("hello", secret);
	const headers = { authorization: `Bearer ${token}` };
	await expect(fetch(url, { method: "POST", headers })).rejects.toThrow();
	expect(await exited).toEqual([1, null]);
});
