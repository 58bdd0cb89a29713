import { expect, onTestFinished } from "vitest";
import { expectBuilt } from "#kit/built.ts";
import {
	type AttemptResult,
	adviceFor,
	createSigner,
	createThreadedWire,
	createWire,
	encodeBody,
	type ThreadedWireOptions,
	type Wire,
	type WireOptions,
} from "../../src/index.ts";

export const SECRET = "6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11";
export const BODY = encodeBody("lead", '{"uuid":"Ünï 😀"}', "[]");
export const TOKEN = createSigner(SECRET)({
	company_uuid: "01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01",
	user_uuid: "01934f2a-7c01-7c44-9b52-0d7e6a1f3c02",
	event_id: "lead_created",
	iat: 1795817000,
	exp: 1795820600,
});

/** A wire that may send to this machine. It is closed after the test. */
export function openWire(options: WireOptions = {}): Wire {
	const wire = createWire({ allowHttp: true, allowPrivate: true, ...options });
	onTestFinished(() => wire.close({ graceMs: 0 }));
	return wire;
}

/** The same in a thread of its own, which runs the built program. */
export function openThreadedWire(options: ThreadedWireOptions = {}): Wire {
	expectBuilt("dispatcher/dist/thread/wire-thread.js", ["dispatcher/src"]);
	const wire = createThreadedWire({
		allowHttp: true,
		allowPrivate: true,
		...options,
	});
	onTestFinished(() => wire.close({ graceMs: 0 }));
	return wire;
}

/** Tests of attempts run on both. */
export const WIRES = [
	["in this thread", openWire],
	["in a thread of its own", openThreadedWire],
] as const;

/** Makes one attempt. Its result must contain no token and no secret, and must have advice. */
export async function attempt(wire: Wire, url: string): Promise<AttemptResult> {
	const result = await wire.attempt({ url, token: TOKEN, body: BODY });
	const text = JSON.stringify(result);
	expect(text).not.toContain(TOKEN.slice(0, 60));
	expect(text).not.toContain(SECRET);
	expect(result.delivered).toBe(result.failure === null);
	expect(adviceFor(result)).toMatch(/^[A-Z].*\.$/);
	return result;
}

/** The parts of a failure that most tests compare: class, stage and code. */
export function causeOf({ failure }: AttemptResult) {
	return failure && [failure.class, failure.stage, failure.code];
}
