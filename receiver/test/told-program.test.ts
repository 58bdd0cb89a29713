/* What a program with a receiver prints on its error output, without any option for it: a real process over a real socket. */
import { fork } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { signedRequest, TEST_SECRET } from "@partnerwire/receiver/testing";
import { expect, test } from "vitest";
import { createTempFolder } from "#kit/temp-folder.ts";
import { buildChild } from "./helpers/child-store.ts";

const JTI = "0197a4a0-0000-7000-8000-00000000f001";
const INTEGRATION_ID = "0197a4a0-0000-7000-8000-00000000c001";

/** Runs the program with this secret, sends it one event, and resolves to its answer and its error output. */
async function runWith(secret: string) {
	const program = await buildChild(createTempFolder(), "failing-program");
	const child = fork(program, {
		execArgv: [],
		silent: true,
		env: { ...process.env, PARTNERWIRE_WEBHOOK_SECRET: secret },
	});
	const errors = text(child.stderr as NodeJS.ReadableStream);
	try {
		const [port] = (await once(child, "message")) as [number];
		const url = `http://127.0.0.1:${port}/hook`;
		const answer = await fetch(
			await signedRequest({ url, claims: { jti: JTI } }),
		);
		return { status: answer.status, answer: await answer.text(), errors };
	} finally {
		child.kill();
	}
}

test("a handler that throws: the error, its stack, the event and its keys", async () => {
	const { status, answer, errors } = await runWith(TEST_SECRET);
	expect(status).toBe(500);
	expect(answer).not.toContain("CRM");
	const printed = await errors;
	expect(printed).toMatch(/^lead_created \(record [\w-]{36}, delivery /);
	expect(printed).toContain(JTI);
	expect(printed).toContain("Error: the CRM is down");
	expect(printed).toMatch(/\n +at .*failing-program\.mjs:\d+/);
});

test("the integration's id as the secret: said at the start, and at the refusal", async () => {
	const { status, errors } = await runWith(INTEGRATION_ID);
	expect(status).toBe(401);
	const lines = (await errors).trim().split("\n");
	expect(lines).toEqual([
		expect.stringMatching(/^The secret is a UUID of version 7: .*not its/),
		expect.stringMatching(
			/SIGNATURE_INVALID.*integration's id, not its secret/,
		),
	]);
});
