import type { Reason, ReceiverOptions } from "@partnerwire/receiver";
import { REASONS } from "@partnerwire/receiver";
import type { TestClock } from "@partnerwire/receiver/testing";
import { expect } from "vitest";
import type { Adapter } from "#kit/endpoints/fetch-adapters.ts";
import type { Answer } from "#kit/endpoints/shot.ts";
import type { World } from "../helpers/world.ts";

/** The options of a case's receiver. A function gets the world's clock. */
export type Options =
	| Partial<ReceiverOptions>
	| ((clock: TestClock) => Partial<ReceiverOptions>);

/** One case as a test. It runs on every adapter to which it applies. */
export interface Case {
	/** The case's id, with a word if the case has several tests. */
	id: string;
	title: string;
	options?: Options;
	/** The adapters on which it runs: all by default. */
	on?: (adapter: Adapter) => boolean;
	/** It is about advice without `explain`, which a Worker does not give. */
	isAdvice?: true;
	run(world: World, adapter: Adapter): Promise<void>;
}

/** Expects a refusal with this reason: its status, its code, the headers of a refusal and nothing else. */
export function expectRefusal(answer: Answer, reason: Reason): void {
	const [status, message] = REASONS[reason];
	expect(answer.json.error?.code, answer.text).toBe(reason);
	expect(answer.status).toBe(status);
	expect(answer.json.error?.message).toBe(message);
	expect(answer.headers["x-webhook-receiver"]).toBe("1");
	if (status === 401) expect(answer.headers["www-authenticate"]).toBe("Bearer");
	if (status === 503) expect(answer.headers["retry-after"]).toBe("2");
}

/** Expects an acknowledgement: status 200 and a tiny JSON body. */
export function expectOk(
	answer: Answer,
	body: object = { handled: true },
): void {
	expect(answer.json, answer.text).toEqual({ ok: true, ...body });
	expect(answer.status).toBe(200);
	expect(answer.headers["content-type"]).toContain("application/json");
}

export const DUPLICATE = { duplicate: true };
export const UNHANDLED = { handled: false };

/** A promise and its resolvers, to hold a handler without a timer. */
export function createGate(): {
	opened: Promise<void>;
	open: () => void;
} {
	let open: () => void = () => {};
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { opened, open };
}
