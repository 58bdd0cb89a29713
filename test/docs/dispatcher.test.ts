import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { adviceForClass, FAILURE_CLASSES } from "@partnerwire/dispatcher";
import { createReceiver } from "@partnerwire/receiver";
import { toNodeHandler } from "@partnerwire/receiver/node";
import { expect, onTestFinished, test } from "vitest";

const ROOT = join(import.meta.dirname, "../..");
const page = readFileSync(join(ROOT, "docs/dispatcher.md"), "utf8");
const blocks = [...page.matchAll(/```ts\n(.*?)```/gs)].map(
	([, code]) => code as string,
);

/** Runs a block unchanged, with a receiver that verifies, and fails this number of times first. */
async function run(code: string, failures: number) {
	const secret = randomUUID();
	let left = failures;
	const receiver = createReceiver({ secret }).on("*", () => {
		if (left-- > 0) throw new Error("not yet");
	});
	const server = createServer(toNodeHandler(receiver)).listen(0, "127.0.0.1");
	onTestFinished(() => {
		server.closeAllConnections();
		server.close();
	});
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	const child = spawn(
		process.execPath,
		["--input-type=module", "--eval", code],
		{
			cwd: ROOT,
			env: {
				...process.env,
				WEBHOOK_URL: `http://127.0.0.1:${port}/hook`,
				PARTNERWIRE_WEBHOOK_SECRET: secret,
			},
			stdio: ["ignore", "pipe", "inherit"],
		},
	);
	return text(child.stdout);
}

test("the library's examples run as they stand", async () => {
	const [emit, send, ...others] = blocks;
	expect(others).toEqual([]);
	expect(await run(emit ?? "", 1)).toBe(`true 2 ${adviceForClass(null)}\n`);
	expect(await run(send ?? "", 0)).toBe("200 delivered true\n");
});

test("the table of classes is the code's", () => {
	for (const name of FAILURE_CLASSES)
		expect(page).toContain(`| \`${name}\` | ${adviceForClass(name)} |`);
});
