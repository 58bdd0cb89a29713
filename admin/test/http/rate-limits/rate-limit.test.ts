import { expect, test } from "vitest";
import { createClock } from "#kit/clock.ts";
import { openApi } from "#kit/program/api.ts";
import { toCounted } from "../../../src/http/counted-address.ts";
import { createRateLimit } from "../../../src/http/rate-limit.ts";

test("A161 the request after the limit answers 429 with Retry-After, whatever the answers before were", async () => {
	const api = await openApi({ rateLimit: 5 });
	const paths = [
		"/v1/leads",
		"/v1/leads/nonsense",
		"/v1/nothing",
		"/v1/deals",
		"/v1/leads",
	];
	const remaining: (string | null)[] = [];
	for (const path of paths) {
		const { status, headers } = await api.request("GET", path);
		expect(status).not.toBe(429);
		remaining.push(headers.get("ratelimit-remaining"));
	}
	expect([remaining[0], remaining[4]]).toEqual(["4", "0"]);
	const { status, headers, body } = await api.request("GET", "/v1/leads");
	expect([status, body.error.code]).toEqual([429, "rate_limit_exceeded"]);
	expect(headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
	expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(60);
	await api.close();
});

test("A161 all answers carry the RateLimit headers, errors too", async () => {
	const api = await openApi({ rateLimit: 3 });
	for (const path of [
		"/v1/leads",
		"/v1/leads/nonsense",
		"/v1/nothing",
		"/v1/leads",
	]) {
		const { headers } = await api.request("GET", path);
		expect([path, headers.get("ratelimit-limit")]).toEqual([path, "3"]);
		expect(headers.get("ratelimit-remaining")).toMatch(/^\d+$/);
		expect(headers.get("ratelimit-reset")).toMatch(/^[1-9]\d*$/);
	}
	await api.close();
});

test("A161 the 429 comes before the 403 and the 400, and after the 401", async () => {
	const api = await openApi({ rateLimit: 1 });
	const key = api.seeded.keys.read;
	await api.request("GET", "/v1/leads", { key });
	const write = await api.request("POST", "/v1/leads", { key, body: "{" });
	expect(write.status).toBe(429);
	const unknown = await api.request("GET", "/v1/leads", { key: "pwk_unknown" });
	expect(unknown.status).toBe(401);
	await api.close();
});

test("A161 without configuration the limit is 500 in a minute", async () => {
	const api = await openApi({ rateLimit: "default" });
	const { headers } = await api.request("GET", "/v1/account");
	expect(headers.get("ratelimit-limit")).toBe("500");
	expect(headers.get("ratelimit-remaining")).toBe("499");
	for (let sent = 1; sent < 500; sent++)
		expect((await api.request("GET", "/v1/account")).status).toBe(200);
	expect((await api.request("GET", "/v1/account")).status).toBe(429);
	await api.close();
});

test("A162 a second key of the same company is not limited by the first", async () => {
	const api = await openApi({ rateLimit: 1 });
	const { read, full } = api.seeded.keys;
	const statuses: number[] = [];
	for (const key of [read, read, full, full])
		statuses.push((await api.request("GET", "/v1/leads", { key })).status);
	expect(statuses).toEqual([200, 429, 200, 429]);
	await api.close();
});

test("A163 after Retry-After seconds the key works again, by the application clock", async () => {
	const api = await openApi({ rateLimit: 2 });
	const ask = () => api.request("GET", "/v1/leads");
	for (let used = 0; used < 2; used++) await ask();
	const refused = await ask();
	expect(refused.status).toBe(429);
	const afterMs = Number(refused.headers.get("retry-after")) * 1000;
	api.clock.advance(afterMs - 1);
	expect((await ask()).status).toBe(429);
	api.clock.advance(1);
	expect((await ask()).status).toBe(200);
	await api.close();
});

test("a window follows its clock, whichever way that goes, and one that is taken back is free again", async () => {
	const clock = createClock();
	const count = createRateLimit(1, clock);
	const isExceeded = async (of: string) => (await count(of))?.isExceeded;
	expect([await isExceeded("a"), await isExceeded("a")]).toEqual([false, true]);
	expect(await isExceeded("b")).toBe(false);
	clock.advance(-3_600_000);
	expect(await isExceeded("a")).toBe(false);
	await count.forget("a");
	expect(await isExceeded("a")).toBe(false);
	clock.advance(60_000);
	expect(await isExceeded("b")).toBe(false);
});

test("failed authentication is limited per address; a valid key, and a request without one, are not", async () => {
	const api = await openApi({ failureLimit: 2 });
	const statusWith = async (key: string | null) =>
		(await api.request("GET", "/v1/leads", { key })).status;
	expect(await statusWith("pwk_guess1")).toBe(401);
	expect(await statusWith("pwk_guess2")).toBe(401);
	const refused = await api.request("GET", "/v1/leads", { key: "pwk_guess3" });
	expect(refused.status).toBe(429);
	expect(refused.headers.get("retry-after")).toMatch(/^[1-9]\d*$/);
	expect(await statusWith(null)).toBe(401);
	expect(await statusWith(api.seeded.keys.read)).toBe(200);
	await api.close();
});

test.each([
	["counts each caller that a trusted proxy names", ["127.0.0.1"], [401, 401]],
	["believes nobody else about who calls", ["192.0.2.1"], [401, 429]],
	["without proxies counts the connection's address", [], [401, 429]],
])("the limit of failed keys %s", async (_, trustProxy, expected) => {
	const api = await openApi({ failureLimit: 1, trustProxy });
	const statuses: number[] = [];
	for (const caller of ["198.51.100.1", "198.51.100.2"]) {
		const headers = { "x-forwarded-for": `203.0.113.9, ${caller}` };
		const { status } = await api.request("GET", "/v1/leads", {
			key: "pwk_unknown",
			headers,
		});
		statuses.push(status);
	}
	expect(statuses).toEqual(expected);
	await api.close();
});

test.each([
	[
		"203.0.113.9",
		["203.0.113.9:1001", "::ffff:203.0.113.9", "[::ffff:203.0.113.9]:80"],
	],
	["203.0.113.10", []],
	[
		"2001:db8:0:1::/64",
		[
			"2001:db8:0:1::1",
			"[2001:db8:0:1:ffff::2]:443",
			"2001:DB8:0:1:1:2:3:4%eth0",
		],
	],
	["2001:db8:0:2::/64", ["2001:db8:0:2::1"]],
	["0:0:0:0::/64", ["::1", "[::1]"]],
	["unknown", ["", "unknown", "_hidden", "1.2.3.4.5", "[x]:1", "1.2.3.4:x"]],
])("%s is counted for each of its spellings", (counted, spellings) => {
	for (const shown of spellings) expect(toCounted(shown)).toBe(counted);
	if (!counted.includes("/")) expect(toCounted(counted)).toBe(counted);
});

test("a trusted proxy is recognised with its port, as some proxies before it write it", async () => {
	const api = await openApi({
		failureLimit: 1,
		trustProxy: ["127.0.0.1", "10.0.0.2", "2001:db8::2"],
	});
	const statuses: number[] = [];
	for (const forwarded of [
		"198.51.100.1, 10.0.0.2:443",
		"198.51.100.1:77 , 10.0.0.2:444",
		"198.51.100.2,[2001:db8::2]:443,10.0.0.2",
		"198.51.100.3, 10.0.0.3:443",
		"198.51.100.4, 10.0.0.3:444",
	]) {
		const headers = { "x-forwarded-for": forwarded };
		const options = { key: "pwk_unknown", headers };
		statuses.push((await api.request("GET", "/v1/leads", options)).status);
	}
	expect(statuses).toEqual([401, 429, 401, 401, 429]);
	await api.close();
});

test("behind a proxy, neither a port nor another address of an IPv6 network counts anew", async () => {
	const api = await openApi({ failureLimit: 1, trustProxy: ["127.0.0.1"] });
	const statusFor = async (caller: string) =>
		(
			await api.request("GET", "/v1/leads", {
				key: "pwk_unknown",
				headers: { "x-forwarded-for": caller },
			})
		).status;
	const callers = [
		"5.5.5.5:1001",
		"5.5.5.5:1002",
		"5.5.5.6",
		"2001:db8::1",
		"2001:db8::2",
		"2001:db8:1::1",
	];
	const statuses: number[] = [];
	for (const caller of callers) statuses.push(await statusFor(caller));
	expect(statuses).toEqual([401, 429, 401, 401, 429, 401]);
	await api.close();
});
