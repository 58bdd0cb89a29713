import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { answer, listenHttp } from "#kit/endpoints/receivers.ts";
import { createTempFolder } from "#kit/temp-folder.ts";
import { createThreadedWire, hashBody } from "../../src/index.ts";
import { MASK } from "../../src/sign/mask-claims.ts";
import { sendFrom } from "../../src/thread/threaded-wire.ts";
import { attempt, openThreadedWire, SECRET, TOKEN } from "../support/wires.ts";

const LOCAL = { allowHttp: true, allowPrivate: true };
const BUILT = new URL("../../dist/", import.meta.url);
const urlOf = (file: string) => JSON.stringify(new URL(file, BUILT));

it("keeps every body with its attempt, and every answer", async () => {
	const receiver = await listenHttp((request, response) => {
		const hash = createHash("sha256");
		request.pipe(hash).on("finish", () => {
			response.end(hash.digest("base64url"));
		});
	});
	const wire = openThreadedWire();
	const sizes = [0, 1, 4096, 4097, 300_000, ...Array(200).keys()];
	const bodies = sizes.map((size) => randomBytes(size));
	const results = await Promise.all(
		bodies.map((body) =>
			wire.attempt({ url: receiver.url, token: TOKEN, body }),
		),
	);
	expect(results.map(({ responseBody }) => responseBody)).toEqual(
		bodies.map(hashBody),
	);
});

it("leaves the body with its owner, who may send it again", async () => {
	const receiver = await listenHttp(answer(200));
	const wire = openThreadedWire();
	await attempt(wire, receiver.url);
	expect((await attempt(wire, receiver.url)).delivered).toBe(true);
});

it("keeps no secret that a receiver echoes, of the claims neither", async () => {
	const receiver = await listenHttp(
		answer(500, {}, `${SECRET} key-of-company`),
	);
	const { responseBody } = await openThreadedWire().attempt({
		url: receiver.url,
		token: TOKEN,
		body: new Uint8Array(1),
		claims: {
			company_uuid: "01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01",
			user_uuid: "01934f2a-7c01-7c44-9b52-0d7e6a1f3c02",
			event_id: "lead_created",
			iat: 1795817000,
			exp: 1795820600,
			api_key: "key-of-company",
		},
		secrets: [SECRET],
	});
	expect(responseBody).toBe(`${MASK} ${MASK}`);
});

it("takes what no message could hold: members of claims that JSON leaves out, and refuses a body that is gone", async () => {
	const receiver = await listenHttp(answer(200));
	const wire = openThreadedWire();
	const request = { url: receiver.url, token: TOKEN, body: new Uint8Array(1) };
	const claims = { event_id: "lead_created", external_settings: { f() {} } };
	const sent = wire.attempt({ ...request, claims: claims as never });
	const gone = new Uint8Array(8);
	structuredClone(gone, { transfer: [gone.buffer] });
	await expect(wire.attempt({ ...request, body: gone })).rejects.toThrow();
	expect((await sent).delivered).toBe(true);
});

it("looks at a URL in its thread, and no more once it is closed", async () => {
	const { url } = await listenHttp(answer(204));
	const wire = createThreadedWire(LOCAL);
	expect(await wire.look(url)).toMatchObject({ ok: true, status: 204 });
	const hanging = await listenHttp(() => {});
	const looking = wire.look(hanging.url);
	await expect.poll(() => hanging.sockets.length).toBe(1);
	await wire.close({ graceMs: 0 });
	expect((await looking).ok).toBe(false);
	await expect(wire.look(url)).rejects.toThrow("the wire is closed");
});

it.each([
	[{ connections: 0 }, "connections must be a whole number from 1"],
	[{ allowedNetworks: ["10.0.0.0"] }, 'not a CIDR block: "10.0.0.0"'],
])("refuses options where it is created: %j", (options, message) => {
	expect(() => createThreadedWire(options)).toThrow(message);
});

it("closes before its first attempt", async () => {
	const wire = createThreadedWire();
	await wire.close();
	await expect(attempt(wire, "http://127.0.0.1:9/")).rejects.toThrow(
		"the wire is closed",
	);
});

describe("a thread that dies", () => {
	function writeProgram(program: string): string {
		const path = join(createTempFolder(), "program.mjs");
		writeFileSync(path, program);
		return path;
	}

	/** A wire whose first thread runs this program, and whose later threads run the real one. */
	function openDying(program: string) {
		const flag = JSON.stringify(join(createTempFolder(), "flag"));
		const path = writeProgram(
			`import { existsSync, writeFileSync } from "node:fs";
			import { parentPort } from "node:worker_threads";
			if (existsSync(${flag})) await import(${urlOf("thread/wire-thread.js")});
			else {
				writeFileSync(${flag}, "");
				${program}
			}`,
		);
		const wire = sendFrom(path, LOCAL);
		onTestFinished(() => wire.close({ graceMs: 0 }));
		return wire;
	}

	it.each([
		["at its start", 'throw new Error("broken");', "broken"],
		[
			"at an attempt",
			'parentPort.on("message", () => { throw new Error("broken"); });',
			"broken",
		],
		[
			"without a word",
			'parentPort.on("message", () => process.exit(3));',
			"the thread that sends has ended",
		],
	])(
		"%s: its attempts reject, the next are made",
		async (_, program, message) => {
			const receiver = await listenHttp(answer(200));
			const wire = openDying(program);
			const both = [attempt(wire, receiver.url), attempt(wire, receiver.url)];
			for (const one of both) await expect(one).rejects.toThrow(message);
			expect((await attempt(wire, receiver.url)).delivered).toBe(true);
		},
	);

	it.each([
		["dies", () => writeProgram("process.exit(3);"), "has ended"],
		["cannot be made", () => "not-absolute.mjs", "absolute path"],
	])(
		"again and again, because it %s, is started ever later; a wire that is closed meanwhile starts none",
		async (_, toProgram, message) => {
			const wire = sendFrom(toProgram(), LOCAL);
			for (let death = 0; death < 2; death++)
				await expect(attempt(wire, "http://127.0.0.1:9/")).rejects.toThrow(
					message,
				);
			const waiting = attempt(wire, "http://127.0.0.1:9/");
			await Promise.all([
				expect(waiting).rejects.toThrow("the wire is closed"),
				wire.close(),
			]);
		},
	);

	it("does not keep a wire from being closed", async () => {
		const wire = openDying('parentPort.on("message", () => process.exit(3));');
		const attempting = attempt(wire, "http://127.0.0.1:9/");
		await Promise.all([
			expect(attempting).rejects.toThrow("has ended"),
			wire.close(),
		]);
	});
});

it.each([
	["an attempt", ""],
	["its closing", "await wire.close();"],
	["the attempts after it", "await attempting; attempt();"],
	["its closing after an attempt", "await attempting; await wire.close();"],
])("keeps the process alive for %s, and no longer", async (_, then) => {
	const receiver = await listenHttp(answer(200));
	const program = `
		import { createThreadedWire } from ${urlOf("index.js")};
		const wire = createThreadedWire(${JSON.stringify(LOCAL)});
		const request = { url: ${JSON.stringify(receiver.url)}, token: "t", body: new Uint8Array(1) };
		let last;
		const attempt = async () => { last = (await wire.attempt(request)).status; };
		process.on("exit", () => console.log(last));
		const attempting = attempt();
		${then}`;
	const { stdout } = await promisify(execFile)(process.execPath, [
		"--input-type=module",
		"--eval",
		program,
	]);
	expect(stdout).toBe("200\n");
});
