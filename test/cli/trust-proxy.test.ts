import { expect, test } from "vitest";
import { startDemoService } from "../kit/program/demo-service.ts";
import { createTempFolder } from "../kit/temp-folder.ts";

/** One address may send 500 wrong keys in a minute. */
const MANY = 600;

test.each<[string, { args?: string[]; env?: Record<string, string> }, number]>([
	["the flag", { args: ["--trust-proxy", "127.0.0.1"] }, 401],
	["the variable", { env: { PARTNERWIRE_TRUST_PROXY: "127.0.0.1" } }, 401],
	["neither", {}, 429],
])(
	"serve counts wrong keys for each caller behind a proxy that it trusts: %s",
	async (_, options, expected) => {
		const { url, stop } = await startDemoService(createTempFolder(), options);
		const guess = async (caller: string) =>
			(
				await fetch(`${url}/v1/leads`, {
					headers: {
						authorization: "Bearer pwk_unknown",
						"x-forwarded-for": caller,
					},
				})
			).status;
		let left = MANY;
		while ((await guess("198.51.100.1")) === 401) if (left-- === 0) break;
		expect(left).toBeGreaterThan(0);
		expect(await guess("198.51.100.2")).toBe(expected);
		expect(await stop()).toBe(0);
	},
);
