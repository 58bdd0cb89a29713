import { type ClientOptions, createClient } from "@partnerwire/sdk";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

beforeEach(() => {
	vi.useFakeTimers();
});
afterEach(() => {
	vi.useRealTimers();
});

type Step = (() => Response) | "disconnects" | "hangs";

const failed = (status: number, retryAfter?: string) => () =>
	Response.json(
		{ error: { code: "rate_limit_exceeded", message: "slow down" } },
		{
			status,
			headers: retryAfter === undefined ? {} : { "retry-after": retryAfter },
		},
	);
const ok = () => Response.json({ fine: true });

/** A service that answers one step after the other, and when and with what it was asked. */
function createService(steps: Step[], options: Partial<ClientOptions> = {}) {
	const asked: { atMs: number; key: string | null }[] = [];
	const startedAt = Date.now();
	const client = createClient({
		baseUrl: "http://service.example",
		apiKey: "pwk_secret",
		...options,
		fetch: async (_, init) => {
			const key = new Headers(init?.headers).get("idempotency-key");
			asked.push({ atMs: Date.now() - startedAt, key });
			const step = steps.shift() ?? ok;
			if (step === "disconnects") throw new TypeError("fetch failed");
			if (step !== "hangs") return step();
			return new Promise<Response>((_, reject) => {
				init?.signal?.addEventListener("abort", () =>
					reject(init.signal?.reason),
				);
			});
		},
	});
	return { client, asked };
}

/** Lets the timers run until the call has ended. */
async function end<Result>(call: Promise<Result>) {
	const settled = call.then(
		(answer) => ({ answer }),
		(error: Error) => ({ error }),
	);
	await vi.runAllTimersAsync();
	return settled as Promise<{ answer?: Result; error?: Error }>;
}

const lead = { body: { partnership_uuid: "p" } };

describe.each([429, 503])("after a %i", (status) => {
	test("a call is repeated, not before its Retry-After, under the same idempotency key", async () => {
		const { client, asked } = createService([
			failed(status, "7"),
			failed(status, "3"),
		]);
		expect((await end(client.createLead(lead))).answer).toEqual({ fine: true });
		expect(asked).toHaveLength(3);
		expect(asked[1]?.atMs).toBeGreaterThanOrEqual(7_000);
		expect(asked[2]?.atMs).toBeGreaterThanOrEqual(10_000);
		expect(new Set(asked.map(({ key }) => key)).size).toBe(1);
		expect(asked[0]?.key).toMatch(/^[0-9a-f]{32}$/);
	});

	test("a Retry-After that is a date is waited for", async () => {
		const { client, asked } = createService([
			failed(status, new Date(Date.now() + 8_000).toUTCString()),
		]);
		expect((await end(client.listLeads())).answer).toEqual({ fine: true });
		expect(asked[1]?.atMs).toBeGreaterThanOrEqual(7_000);
		expect(asked[1]?.atMs).toBeLessThan(10_000);
	});

	test.each([
		["7", 7],
		["0", 0],
		["Thu, 01 Jan 1970 00:00:00 GMT", 0],
		["soon", undefined],
		["-5 seconds", undefined],
		["0x10", undefined],
		["1.5e9", undefined],
		["", undefined],
		["99999999999999999999", 1e20],
	])("the Retry-After %j is told as %d", async (given, seconds) => {
		const { client } = createService([failed(status, given)], { retries: 0 });
		const { error } = await end(client.listLeads());
		expect(error).toMatchObject({ retryAfterS: seconds });
	});

	test.each(["2147484", "99999999999999999999"])(
		"a Retry-After of %s s, which no timer can wait for, ends it at once",
		async (seconds) => {
			const { client, asked } = createService([failed(status, seconds)], {
				maxRetryAfterMs: Number.POSITIVE_INFINITY,
			});
			expect((await end(client.listLeads())).error).toBeDefined();
			expect(asked).toHaveLength(1);
		},
	);

	test("however often it is repeated, no pause is too long for a timer", async () => {
		const { client, asked } = createService(Array(40).fill(failed(status)), {
			retries: Number.POSITIVE_INFINITY,
		});
		expect((await end(client.listLeads())).answer).toEqual({ fine: true });
		const pauses = asked.map(({ atMs }, n) => atMs - (asked[n - 1]?.atMs ?? 0));
		expect(Math.max(...pauses)).toBe(30_000);
		expect(pauses.slice(10).every((ms) => ms === 30_000)).toBe(true);
	});

	test("options that are undefined are the defaults", async () => {
		const steps = [failed(status, "60"), ...Array(9).fill(failed(status))];
		const { client, asked } = createService(steps, {
			...{ timeoutMs: undefined, retries: undefined },
			...{ maxRetryAfterMs: undefined },
		});
		await end(client.listLeads());
		expect(asked).toHaveLength(4);
		expect(asked[1]?.atMs).toBeGreaterThanOrEqual(60_000);
	});

	test("a Retry-After beyond the bound ends it at once", async () => {
		const { client, asked } = createService([failed(status, "61")]);
		const { error } = await end(client.listLeads());
		expect(error).toMatchObject({ retryAfterS: 61 });
		expect(asked).toHaveLength(1);
	});

	test("nothing is waited for after the last attempt", async () => {
		const { client } = createService([failed(status, "7")], { retries: 0 });
		const startedAt = Date.now();
		expect((await end(client.listLeads())).error).toBeDefined();
		expect(Date.now() - startedAt).toBe(0);
	});

	test("it is given up after the retries", async () => {
		const steps = [failed(status), failed(status), failed(status)];
		const { client, asked } = createService(steps, { retries: 2 });
		const { error } = await end(
			client.archiveLead({
				params: { uuid: "0190b1e0-0000-7000-8000-000000000001" },
			}),
		);
		expect(error).toMatchObject({ code: "rate_limit_exceeded" });
		expect(asked).toHaveLength(3);
	});
});

test.each([400, 401, 403, 404, 409, 500, 502])(
	"a %i is not repeated",
	async (status) => {
		const { client, asked } = createService([failed(status)]);
		expect((await end(client.listLeads())).error).toBeDefined();
		expect(asked).toHaveLength(1);
	},
);

test("without an answer only what does the same twice is repeated", async () => {
	const params = { uuid: "0190b1e0-0000-7000-8000-000000000001" };
	const calls = {
		get: (service: ReturnType<typeof createService>) =>
			service.client.getLead({ params }),
		post: (service: ReturnType<typeof createService>) =>
			service.client.createLead(lead),
		patch: (service: ReturnType<typeof createService>) =>
			service.client.updateLead({ params, body: {} }),
		delete: (service: ReturnType<typeof createService>) =>
			service.client.archiveLead({ params }),
	};
	const attempts: Record<string, number> = {};
	for (const [name, call] of Object.entries(calls)) {
		const service = createService(["disconnects"]);
		await end<unknown>(call(service));
		attempts[name] = service.asked.length;
	}
	expect(attempts).toEqual({ get: 2, post: 2, patch: 1, delete: 1 });
});

test("an abort ends the attempt and the waiting, with its reason", async () => {
	for (const steps of [["hangs"], [failed(429, "30")]] as Step[][]) {
		const controller = new AbortController();
		const { client, asked } = createService(steps);
		const call = end(client.listLeads({}, { signal: controller.signal }));
		controller.abort(new Error("enough"));
		expect((await call).error?.message).toBe("enough");
		expect(asked.length).toBeLessThanOrEqual(1);
	}
});

test("a reason that is no error becomes one", async () => {
	for (const steps of [["hangs"], [failed(429, "30")]] as Step[][]) {
		const controller = new AbortController();
		const { client } = createService(steps);
		const call = end(client.listLeads({}, { signal: controller.signal }));
		controller.abort("enough");
		const { error } = await call;
		expect(error).toBeInstanceOf(Error);
		expect([error?.name, error?.message]).toEqual(["AbortError", "enough"]);
	}
	const signal = AbortSignal.abort("before");
	const { error } = await end(
		createService([]).client.listLeads({}, { signal }),
	);
	expect(error).toBeInstanceOf(Error);
	expect(error?.message).toBe("before");
});

test("an error of an own fetch that is none of a connection is thrown at once", async () => {
	class Unreachable extends Error {
		override readonly name = "Unreachable";
	}
	let asked = 0;
	const client = createClient({
		baseUrl: "http://service.example",
		apiKey: "pwk_secret",
		fetch: async () => {
			asked++;
			throw new Unreachable("no service here");
		},
	});
	await expect(client.listLeads()).rejects.toThrow("no service here");
	expect(asked).toBe(1);
});

test("an own idempotency key is sent, and only with a POST", async () => {
	const { client, asked } = createService([]);
	await end(client.createLead(lead, { idempotencyKey: "mine" }));
	await end(
		client.getLead({
			params: { uuid: "0190b1e0-0000-7000-8000-000000000001" },
		}),
	);
	expect(asked.map(({ key }) => key)).toEqual(["mine", null]);
});
