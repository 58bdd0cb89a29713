import type { Reason, ReceiverOptions } from "@partnerwire/receiver";
import { REASONS } from "@partnerwire/receiver";
import type { TestClock } from "@partnerwire/receiver/testing";
import { expect } from "vitest";
import type { Adapter } from "../helpers/adapters.ts";
import type { Answer } from "../helpers/shot.ts";
import type { World } from "../helpers/world.ts";

/** The options of a case's receiver; on the world's clock if they need one. */
export type Options =
	| Partial<ReceiverOptions>
	| ((clock: TestClock) => Partial<ReceiverOptions>);

/** One entry of cases/receiver.md as a test, run on every adapter to which it applies. */
export interface Case {
	/** The entry's id, with a word when an entry has several tests. */
	id: string;
	title: string;
	options?: Options;
	/** On which adapters; all by default. */
	on?: (adapter: Adapter) => boolean;
	run(world: World, adapter: Adapter): Promise<void>;
}

/** The answer refuses with this reason: its status, its code, the marks of a refusal and nothing else. */
export function expectRefusal(answer: Answer, reason: Reason): void {
	const [status, message] = REASONS[reason];
	expect(answer.json.error?.code, answer.text).toBe(reason);
	expect(answer.status).toBe(status);
	expect(answer.json.error?.message).toBe(message);
	expect(answer.headers["x-webhook-receiver"]).toBe("1");
	if (status === 401) expect(answer.headers["www-authenticate"]).toBe("Bearer");
	if (status === 503) expect(answer.headers["retry-after"]).toBe("2");
}

/** The answer acknowledges: exactly 200 and a tiny JSON body. */
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
