import { createDispatcher } from "@partnerwire/dispatcher";
import { createReceiver } from "@partnerwire/receiver";
import { signedRequest } from "@partnerwire/receiver/testing";
import { createClient } from "@partnerwire/sdk";
import { afterEach, describe, expect, test, vi } from "vitest";
import { findCapturedGlobals } from "./kit/captured-globals.ts";
import { createFakeWire, toResult } from "./kit/endpoints/fake-wire.ts";
import { listFiles, readSource } from "./kit/sources.ts";

/*
 * A default such as `clock: Date.now` is read once, when a file is imported or an object is created. A clock or a fetch that replaces
 * the global later has no effect then, and a browser's fetch refuses to be called as a method. So a global is called, never stored.
 */
test.each([
	"const o = { clock: Date.now, ...options };",
	"const o = { fetch: globalThis.fetch };",
	"function f(clock = Date.now) {}",
	"function f({ clock = Date.now }: Options) {}",
	"(options.clock ?? Date.now)();",
	"createLink(Date.now);",
	"const send = fetch;",
	"const o = { fetch };",
	"const { now } = Date;",
	"const { subtle } = globalThis.crypto;",
	"const subtle = crypto.subtle;",
	"const log = console.warn;",
	"const newId = crypto.randomUUID.bind(crypto);",
	"await new Promise((resolve) => run(setTimeout));",
	"export const now = performance.now;",
	"const o = { random: Math.random };",
])("finds %s", (text) => {
	expect(findCapturedGlobals(text)).toHaveLength(1);
});

test.each([
	"const o = { clock: () => Date.now() };",
	"const at = new Date(Date.now()).getTime();",
	"const o: { fetch?: typeof fetch; at: Date } = { at: new Date() };",
	"if (at instanceof Date || typeof fetch === 'function') setTimeout(run, 5);",
	"let timer: ReturnType<typeof setTimeout> | undefined;",
	"import { setTimeout as sleep } from 'node:timers/promises'; run(sleep);",
	"import { performance } from 'node:perf_hooks'; use(performance);",
	"function f(fetch: Fetch) { return { fetch }; }",
	"app.fetch(request); run(app.fetch); const o = { fetch: app.fetch };",
	"await crypto.subtle.sign(a, b, c);",
	"const turn = 2 * Math.PI; const most = list.reduce(Math.max);",
	"const { fetch = none } = options; run(fetch);",
	"interface A { fetch: Date }",
])("passes over %s", (text) => {
	expect(findCapturedGlobals(text)).toEqual([]);
});

const sources = ["shared", "dispatcher", "receiver", "admin", "scripts"]
	.flatMap(listFiles)
	.filter((path) => /(^|\/)(src|web|scripts)\/.*\.(ts|vue)$/.test(path));

test("no source keeps a global", () => {
	expect(sources.length).toBeGreaterThan(600);
	const kept = sources.flatMap((path) =>
		codeOf(path)
			.flatMap(findCapturedGlobals)
			.map((code) => `${path}: ${code}`),
	);
	expect(kept).toEqual([]);
});

/** The code of a file. That of a component is in its script blocks. */
const codeOf = (path: string): string[] =>
	path.endsWith(".vue")
		? [...readSource(path).matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(
				([, code]) => code as string,
			)
		: [readSource(path)];

describe("what was made before sees what replaces a global afterwards:", () => {
	afterEach(() => {
		vi.useRealTimers();
		vi.unstubAllGlobals();
	});
	const SECRET = "6f1c2b9e-6a51-4d0b-9a53-7f0d5a0c1e11";
	const HOUR_MS = 3_600_000;
	const setClock = (now: number) => vi.useFakeTimers({ toFake: ["Date"], now });

	test("a receiver's clock", async () => {
		const receiver = createReceiver({ secret: SECRET });
		receiver.on("lead_created", () => {});
		const request = await signedRequest({ secret: SECRET });
		const copy = request.clone();
		expect((await receiver.fetch(request)).status).toBe(200);
		setClock(Date.now() + 2 * HOUR_MS);
		expect((await receiver.fetch(copy)).status).toBe(401);
		const fresh = await signedRequest({ secret: SECRET });
		expect((await receiver.fetch(fresh)).status).toBe(200);
	});

	test("a dispatcher's clock", async () => {
		const dispatcher = createDispatcher({
			url: "https://crm.example/hook",
			secret: SECRET,
			companyUuid: SECRET,
			userUuid: SECRET,
			wire: createFakeWire(() => toResult(200, 0)),
		});
		setClock(0);
		const { claims } = await dispatcher.send("lead_created", {} as never);
		expect(claims).toMatchObject({ iat: 0, exp: 3600 });
	});

	test("a client's fetch, which is called without a this, as browsers demand", async () => {
		const client = createClient({ baseUrl: "http://x.example", apiKey: "k" });
		const strict = vi.fn(function (this: unknown) {
			if (this !== undefined && this !== globalThis)
				throw new TypeError("Illegal invocation");
			return Promise.resolve(Response.json({ data: [] }));
		});
		vi.stubGlobal("fetch", strict);
		expect(await client.listLeads()).toEqual({ data: [] });
		const handed = { baseUrl: "http://x.example", apiKey: "k", fetch: strict };
		expect(await createClient(handed).listLeads()).toEqual({ data: [] });
		expect(strict).toHaveBeenCalledTimes(2);
	});
});
