import {
	type DedupStore,
	PermanentFailure,
	REASONS,
	type Reason,
	type ReceiverOptions,
} from "@partnerwire/receiver";
import { describe, expect, test, vi } from "vitest";
import { ADAPTERS } from "#kit/endpoints/adapters.ts";
import type { Adapter } from "#kit/endpoints/fetch-adapters.ts";
import type { Shot } from "#kit/endpoints/shot.ts";
import { BAD, NOW_MS, SECRET, tok } from "#kit/endpoints/tokens.ts";
import { readSource } from "#kit/sources.ts";
import { ADVICE } from "../src/common/advice.ts";
import { createGate } from "./cases/case.ts";
import {
	CONTROLS,
	crmDown,
	expectError,
	failing,
	JTI,
	newReceiver,
	post,
	rejecting,
	shot,
	told,
	watchConsole,
} from "./helpers/told.ts";

watchConsole();

describe.each(ADAPTERS)("$name", ({ open }: Adapter) => {
	const send = async (
		receiver: ReturnType<typeof newReceiver>,
		one = shot(),
	) => {
		const mounted = await open(receiver);
		try {
			return await mounted.send(one);
		} finally {
			await mounted.close();
		}
	};

	test("a handler that throws is reported once, with event, keys, stack and cause", async () => {
		const receiver = newReceiver().on("*", async () => {
			throw crmDown();
		});
		const answer = await send(receiver);
		expect(answer.status).toBe(500);
		expect(answer.text).not.toContain("CRM");
		expect(told.length).toBe(1);
		expectError(told[0]);
		for (const word of ["deal_updated", JTI, "HANDLER_FAILED", "00000000d001"])
			expect(told[0]).toContain(word);
	});

	test("with onError only that gets the error, and the handler's context", async () => {
		const reported: unknown[] = [];
		const error = crmDown();
		const receiver = newReceiver({
			log: () => {},
			onError: (...args) => reported.push(args),
		}).on("*", () => {
			throw error;
		});
		await send(receiver);
		expect(told).toEqual([]);
		expect(reported).toEqual([
			[error, expect.objectContaining({ eventId: "deal_updated" })],
		]);
	});

	test("a token that is refused leaves a line with the reason and what to do", async () => {
		await send(newReceiver(), { authorization: `Bearer ${BAD}` });
		expect(told).toEqual([
			expect.stringMatching(/SIGNATURE_INVALID\. .*as it was shown/),
		]);
		expect(told[0]).not.toContain(BAD.slice(-43));
	});
});

describe("refusals", () => {
	test("each reason has a line a second, with the number of those that had none", async () => {
		let nowMs = NOW_MS;
		const receiver = newReceiver({ clock: () => nowMs });
		for (let time = 0; time < 100; time++) {
			await post(receiver, { authorization: `Bearer ${BAD}` });
			await post(receiver, { authorization: null });
		}
		expect(told.length).toBe(2);
		nowMs += 1_000;
		await post(receiver, { authorization: `Bearer ${BAD}` });
		expect(told.length).toBe(3);
		expect(told[2]).toContain("99 more were left out");
		// A clock that is set back must not silence anything.
		nowMs -= 3_600_000;
		await post(receiver, { authorization: null });
		expect(told.length).toBe(4);
	});

	test.each([
		["METHOD_NOT_ALLOWED", { method: "GET" }],
		["TOKEN_MISSING", { authorization: null }],
		["AUTHORIZATION_SCHEME", { authorization: "Basic dTpw" }],
		["TOKEN_MALFORMED", { authorization: "Bearer \u00a0x.y" }],
		[
			"ALG_UNSUPPORTED",
			{ authorization: `Bearer ${tok({}, { alg: "none" })}` },
		],
		["TOKEN_EXPIRED", shot({ exp: NOW_MS / 1000 - 1 })],
		["CLAIM_MISSING", shot({ company_uuid: "" })],
		["PAYLOAD_MISMATCH", shot({ payload_sha256: "x" })],
		["INVALID_JSON", { ...shot(), body: "{" }],
		["INVALID_SHAPE", { ...shot({ jti: "\u001b[2J\nx" }), body: "{}" }],
	] as const)("%s says what to do", async (reason, one: Shot) => {
		await post(newReceiver(), one);
		expect(told.length).toBe(1);
		expect(told[0]).toMatch(new RegExp(`${reason}\\. [^.]+\\. .{10,}`));
		expect(told[0]).not.toMatch(CONTROLS);
		expect(told[0]).not.toContain("\nx");
	});

	test("an expired token: by how long", async () => {
		await post(newReceiver(), shot({ exp: NOW_MS / 1000 - 90 }));
		expect(told[0]).toMatch(/TOKEN_EXPIRED\. .*expired 90 s ago/);
	});

	test.each<Shot>([
		{ method: "GET" },
		{ authorization: null },
		{ authorization: `Bearer ${BAD}` },
		shot({ exp: NOW_MS / 1000 - 90 }),
		shot({ payload_sha256: "x" }),
		{ ...shot(), body: "{" },
	])("explain tells the sender what the log says: %o", async (one) => {
		const { json } = await post(newReceiver({ explain: true }), one);
		const { explanation = "" } = json.error ?? {};
		expect(explanation.length).toBeGreaterThan(10);
		expect(told[0]).toContain(explanation);
	});
});

test("what to do is what the docs say", () => {
	const page = readSource("docs/troubleshooting.md");
	for (const [reason, [status]] of Object.entries(REASONS)) {
		const advice = ADVICE[reason as Reason];
		if (advice)
			expect(page).toContain(`| \`${reason}\` | ${status} | ${advice} |`);
		else expect(status >= 500, reason).toBe(true);
	}
});

describe("nothing that fails is told to nobody", () => {
	const dedup = (claim: DedupStore["claim"]): DedupStore => ({
		claim,
		commit: failing,
		release: failing,
		forget: failing,
	});
	test.each<[string, Partial<ReceiverOptions>]>([
		["a secret lookup that throws", { secret: failing }],
		["a secret lookup that rejects", { secret: rejecting }],
		["a store that throws", { dedup: dedup(failing) }],
		["a store that rejects", { dedup: dedup(rejecting) }],
		["onVerdict that throws", { onVerdict: failing }],
		["onVerdict that rejects", { onVerdict: rejecting }],
		["a clock that throws", { clock: failing }],
	])("%s", async (_, options) => {
		await post(newReceiver(options).on("*", () => {}));
		expect(told.length).toBeGreaterThanOrEqual(1);
		// The secrets of a lookup are not known, so they cannot be masked.
		expectError("secret" in options ? told[0]?.replace(SECRET, "") : told[0]);
		const reported: unknown[] = [];
		told.length = 0;
		await post(
			newReceiver({
				log: () => {},
				...options,
				onError: (error) => reported.push(error),
			}).on("*", () => {}),
		);
		expect(reported[0]).toMatchObject({
			message: expect.stringContaining("CRM"),
		});
		expect(told).toEqual([]);
	});

	test("onUnhandled that throws", async () => {
		await post(newReceiver({ onUnhandled: failing }));
		expect(told.length).toBe(1);
		expectError(told[0]);
	});

	test("a dead letter that cannot be kept", async () => {
		const receiver = newReceiver({ onDeadLetter: rejecting }).on("*", () => {
			throw new PermanentFailure("no");
		});
		await post(receiver);
		expect(told.length).toBe(1);
		expectError(told[0]);
	});

	test.each([
		["throws", failing],
		["rejects", rejecting],
	])("onError that %s: both errors", async (_, onError) => {
		const receiver = newReceiver({ log: () => {}, onError }).on("*", () => {
			throw new Error("the first");
		});
		await post(receiver);
		await Promise.resolve();
		expect(told.length).toBe(2);
		expect(told[0]).toContain("the first");
		expectError(told[1]);
	});

	test("a handler that fails after its deadline, unless it only gave up", async () => {
		const gate = createGate();
		const receiver = newReceiver({ deadlineMs: 5 })
			.on("deal_updated", async () => {
				await gate.opened;
				failing();
			})
			.on(
				"deal_created",
				({ signal }) =>
					new Promise((_, reject) => {
						signal.addEventListener("abort", () => reject(signal.reason));
					}),
			);
		await post(receiver);
		await post(receiver, shot({ event_id: "deal_created" }));
		expect(told.filter((line) => line.includes("DEADLINE")).length).toBe(2);
		gate.open();
		await vi.waitFor(() => expect(told.length).toBe(3));
		expectError(told[2]);
	});

	test.each<[string, unknown, string]>([
		["a text", "out of paper", "out of paper"],
		["undefined", undefined, "undefined"],
		["an object", { status: 500, apiKey: "hunter2" }, "status,apiKey"],
		["an object without a prototype", Object.create(null), "HANDLER_FAILED"],
		["an error without a stack", { message: "no stack" }, "no stack"],
	])("%s that is thrown", async (_, thrown, words) => {
		const receiver = newReceiver().on("*", () => {
			throw thrown;
		});
		expect((await post(receiver)).status).toBe(500);
		expect(told.length).toBe(1);
		expect(told[0]).toContain(words);
		expect(told[0]).not.toContain("hunter2");
	});

	test("causes that go round in a circle end", async () => {
		const error = new Error("round");
		error.cause = error;
		const receiver = newReceiver().on("*", () => {
			throw error;
		});
		await post(receiver);
		expect(told.length).toBe(1);
	});
});
