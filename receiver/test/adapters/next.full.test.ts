import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { signedRequest, TEST_SECRET } from "@partnerwire/receiver/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findPlatformModule } from "#kit/platforms/module-of-platforms.ts";
import { ROOT } from "#kit/sources.ts";

const bin = findPlatformModule("next/dist/bin/next");
// Beside Next.js, and in the repository, so that the app finds the workspace's built packages too.
const folder = mkdtempSync(join(ROOT, "test/platforms/.next-app-"));
let server: ChildProcess;
let url = "";

beforeAll(async () => {
	const route = join(folder, "app/hook");
	mkdirSync(route, { recursive: true });
	writeFileSync(join(folder, "package.json"), '{"type":"module"}');
	writeFileSync(
		join(route, "route.js"),
		`import { createReceiver } from "@partnerwire/receiver";
import { toNext } from "@partnerwire/receiver/next";
const receiver = createReceiver({ secret: process.env.PARTNERWIRE_WEBHOOK_SECRET }).on("Lead", () => {});
export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = toNext(receiver);
`,
	);
	server = spawn(process.execPath, [bin, "dev", folder, "--port", "0"], {
		env: {
			...process.env,
			NODE_ENV: "development",
			NODE_OPTIONS: "",
			NEXT_TELEMETRY_DISABLED: "1",
			PARTNERWIRE_WEBHOOK_SECRET: TEST_SECRET,
		},
		stdio: ["ignore", "pipe", "inherit"],
		detached: true,
	});
	let output = "";
	while (!url) {
		const [chunk] = await once(server.stdout as NodeJS.ReadableStream, "data");
		output += chunk;
		url = /http:\/\/localhost:\d+/.exec(output)?.[0] ?? "";
	}
});

afterAll(async () => {
	const exited = once(server, "exit");
	// Next.js serves from a child process. Killing the group ends both.
	if (server.pid) process.kill(-server.pid, "SIGTERM");
	await exited;
	rmSync(folder, { recursive: true, force: true });
});

test("a route handler of a real Next.js server gives the receiver's verdicts", async () => {
	const request = await signedRequest();
	const body = await request.text();
	const { headers } = request;
	const send = (init: RequestInit) => fetch(`${url}/hook`, init);
	const post = { method: "POST", headers, body };
	expect(await (await send(post)).json()).toEqual({ ok: true, handled: true });
	expect(await (await send(post)).json()).toEqual({
		ok: true,
		duplicate: true,
	});
	const stranger = await send({ method: "POST", body });
	expect(stranger.status).toBe(401);
	expect(stranger.headers.get("www-authenticate")).toBe("Bearer");
	const get = await send({});
	expect([get.status, get.headers.get("allow")]).toEqual([405, "POST"]);
});
