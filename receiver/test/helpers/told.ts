import { createReceiver, type ReceiverOptions } from "@partnerwire/receiver";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { fromResponse, type Shot, toRequest } from "#kit/endpoints/shot.ts";
import { GOOD, NOW_MS, SECRET, tok } from "#kit/endpoints/tokens.ts";

/** The calls of the console since the test began. */
export const told: string[] = [];

/** Records the calls of the console during the tests of a file. */
export function watchConsole(): void {
	beforeEach(() => {
		told.length = 0;
		for (const name of ["error", "warn", "log", "info"] as const)
			vi.spyOn(console, name).mockImplementation((...parts) => {
				told.push(parts.join(" "));
			});
	});
	afterEach(() => {
		vi.restoreAllMocks();
	});
}

export const CONTROLS = /(?!\n)[\p{Cc}\u2028\u202e]/u;

export const JTI = "0197a4a0-0000-7000-8000-00000000f001";
export const shot = (more: object = {}): Shot => ({
	authorization: `Bearer ${tok({ jti: JTI, ...more })}`,
});

/** An error as a driver throws it: with a cause, and with secrets that must not be shown. */
export const crmDown = () =>
	new Error(`CRM down\nforged: line \u001b[31m\u202e ${SECRET} ${GOOD}`, {
		cause: new TypeError("connect ECONNREFUSED postgres://u:hunter2@db/x"),
	});

/** Expects that the lines contain the whole error and no secret. */
export function expectError(text: string | undefined): void {
	expect(text).toContain("CRM down");
	expect(text).toMatch(/at .*told\.ts:\d+/);
	expect(text).toMatch(/caused by TypeError: connect ECONNREFUSED/);
	expect(text).not.toContain(SECRET);
	expect(text).not.toContain(GOOD.slice(-43));
	expect(text).not.toContain("hunter2");
	expect(text).not.toMatch(CONTROLS);
	expect(text).not.toMatch(/^forged/m);
}

export const newReceiver = (options: Partial<ReceiverOptions> = {}) =>
	createReceiver({
		secret: SECRET,
		clock: () => NOW_MS,
		dedup: options.inbox ? undefined : false,
		...options,
	});

export const post = async (
	receiver: ReturnType<typeof newReceiver>,
	one = shot(),
) => fromResponse(await receiver.fetch(toRequest(one)));

export const failing = (): never => {
	throw crmDown();
};
export const rejecting = async () => failing();
