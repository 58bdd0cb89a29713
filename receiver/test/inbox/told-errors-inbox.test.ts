import type { InboxStore } from "@partnerwire/receiver/inbox";
import { describe, expect, test } from "vitest";
import { createInbox } from "../../src/inbox/inbox.ts";
import { openInbox } from "../helpers/open-inbox.ts";
import {
	expectError,
	failing,
	JTI,
	newReceiver,
	post,
	rejecting,
	told,
	watchConsole,
} from "../helpers/told.ts";

watchConsole();

describe("the inbox", () => {
	test("a handler that throws is reported once for each attempt, with its stack; onDeadLetter that fails as well", async () => {
		const { inbox, settled } = openInbox({ maxAttempts: 2 });
		const receiver = newReceiver({
			inbox,
			onDeadLetter: async () => {
				throw new Error("letter box full");
			},
		}).on("*", failing);
		expect((await post(receiver)).json).toMatchObject({ stored: true });
		await settled(2);
		expect(told.length).toBe(3);
		for (const each of told.slice(0, 2)) {
			expectError(each);
			expect(each).toContain(JTI);
		}
		expect(told[1]).toContain("attempt 2 of 2");
		expect(told[2]).toContain("letter box full");
	});

	test("with onError only that is called", async () => {
		const { inbox, settled } = openInbox({ maxAttempts: 1 });
		const reported: unknown[] = [];
		const receiver = newReceiver({
			inbox,
			log: () => {},
			onError: (error, context) => reported.push([error, context?.eventId]),
		}).on("*", failing);
		await post(receiver);
		await settled(1);
		expect(reported).toEqual([[expect.any(Error), "deal_updated"]]);
		expect(told).toEqual([]);
	});

	test("that is closed says once why the sender has to try again", async () => {
		const { inbox } = openInbox();
		const receiver = newReceiver({ inbox }).on("*", () => {});
		await receiver.close();
		for (let time = 0; time < 2; time++)
			expect((await post(receiver)).status).toBe(503);
		expect(told).toEqual([expect.stringContaining("(it is closed)")]);
	});

	const broken = (methods: Partial<InboxStore>, store: InboxStore) =>
		createInbox({ ...store, ...methods }, { pollMs: 1, leaseMs: 30 });

	test.each<[string, readonly (keyof InboxStore)[], string]>([
		["a put", ["put"], "cannot store an event"],
		["a take", ["take"], "cannot be read"],
		// While the lease can be renewed, the settlement is tried again.
		["a settlement", ["settle", "extend"], "could not be settled"],
	])("a store that fails %s", async (_, methods, words) => {
		const { store } = openInbox().inbox;
		const inbox = broken(
			Object.fromEntries(methods.map((method) => [method, rejecting])),
			store,
		);
		const receiver = newReceiver({ inbox }).on("*", () => {});
		await post(receiver);
		await expect.poll(() => told.length).toBeGreaterThan(0);
		await inbox.close();
		expectError(told[0]);
		expect(told[0]).toContain(words);
	});

	test("an event that cannot be read", async () => {
		const { inbox, settled } = openInbox();
		await inbox.store.put({
			fingerprint: "f",
			deliveryId: null,
			entityId: null,
			sequence: null,
			supersedes: false,
			eventId: "deal_updated",
			body: "{",
			envelope: "{}",
		});
		newReceiver({ inbox }).on("*", () => {});
		await settled(1);
		expect(told.length).toBe(1);
		expect(told[0]).toContain("cannot be read and is dead");
		expect(told[0]).toContain("SyntaxError");
	});
});
