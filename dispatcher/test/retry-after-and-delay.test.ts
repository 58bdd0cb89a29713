// Of Retry-After and the delay of sendWithRetry the longer counts, as in the worker. They are not added up.
import { expect, test, vi } from "vitest";
import { listenHttp } from "#kit/endpoints/receivers.ts";
import { openWire, SECRET } from "./support/wires.ts";

const waits: number[] = [];
vi.mock("node:timers/promises", () => ({
	setTimeout: async (ms: number) => {
		waits.push(ms);
	},
}));

const DELAY_MS = 50;

test.each([
	["is shorter", 20, 0],
	["is longer", 60_000, 1],
])(
	"a Retry-After that %s than the delay",
	async (_, maxRetryAfterMs, count) => {
		waits.length = 0;
		// What another suite has loaded already does not see the mock.
		vi.resetModules();
		const { sendWithRetry } = await import("../src/send-with-retry.ts");
		let requests = 0;
		const receiver = await listenHttp((request, response) => {
			const status = ++requests === 1 ? 503 : 200;
			request.resume().on("end", () => {
				response.writeHead(status, { "retry-after": "3600" }).end();
			});
		});
		const { delivered } = await sendWithRetry(
			{
				url: receiver.url,
				secret: SECRET,
				event: "lead_created",
				entity: {} as never,
				companyUuid: "01934f2a-7c00-7b3e-8a11-5e0c4d2f9b01",
				userUuid: "01934f2a-7c01-7c44-9b52-0d7e6a1f3c02",
				wire: openWire(),
			},
			{ minDelayMs: DELAY_MS, maxRetryAfterMs },
		);
		expect(delivered).toBe(true);
		expect(waits).toHaveLength(count);
		// The delay has passed already, and counts. A timer may come a millisecond early.
		for (const ms of waits) {
			expect(ms).toBeGreaterThan(0);
			expect(ms).toBeLessThanOrEqual(maxRetryAfterMs - DELAY_MS + 1);
		}
	},
);
