import { beforeEach, expect, test } from "vitest";
import { answer, listenHttp } from "#kit/endpoints/receivers.ts";
import { createHostResolver } from "../../src/http/dns/resolve-host.ts";
import type { Resolve, ResolvedAddress } from "../../src/index.ts";
import { attempt, causeOf, openWire } from "../support/wires.ts";

const HERE: readonly ResolvedAddress[] = [{ address: "127.0.0.1", family: 4 }];
const failWith = (code: string) => Object.assign(new Error(code), { code });
const never = new Promise<never>(() => {});

/** Lookups that hang until the test answers them, in the order in which they began. */
let begun: { host: string; end: (error?: Error) => void }[];
let dnsAsked: string[];
let nowMs: number;
beforeEach(() => {
	begun = [];
	dnsAsked = [];
	nowMs = 0;
});

/** `dns` gives the answers of DNS: addresses, an error's code, or undefined for no answer. */
function createResolver(
	dns: (host: string) => readonly ResolvedAddress[] | string | undefined,
	hostsFile: readonly string[] = [],
) {
	const askSystem: Resolve = (host, callback) => {
		begun.push({
			host,
			end: (error) => callback(error ?? null, error ? [] : HERE),
		});
	};
	return createHostResolver({
		async askDns(host) {
			dnsAsked.push(host);
			const found = dns(host);
			if (typeof found === "string") throw failWith(found);
			return found ?? never;
		},
		askSystem,
		isInHostsFile: (host) => hostsFile.includes(host),
		now: () => nowMs,
	});
}

const resolveWith = (resolve: Resolve, host: string) =>
	new Promise<readonly ResolvedAddress[]>((done, fail) =>
		resolve(host, (error, found) => (error ? fail(error) : done(found))),
	);
/** Starts a lookup without waiting for it. */
const ask = (resolve: Resolve, host: string) => resolve(host, () => {});
const turn = () => new Promise<void>((done) => setImmediate(done));
const hosts = () => begun.map(({ host }) => host);

test("names that hang in DNS keep no other from being delivered to, and open no lookup", async () => {
	const receiver = await listenHttp(answer(200));
	const resolve = createResolver((host) =>
		host.startsWith("slow") ? undefined : HERE,
	);
	const wire = openWire({ resolve, connectTimeoutMs: 60_000 });
	for (let n = 0; n < 5; n++)
		void attempt(wire, `http://slow${n}.example/`).catch(() => {});
	const url = `http://well.example:${receiver.port}/`;
	expect((await attempt(wire, url)).delivered).toBe(true);
	expect(hosts()).toEqual([]);
});

test.each(["ENOTFOUND", "ENODATA", "EREFUSED", "EBADNAME", "ECONNREFUSED"])(
	"what DNS answers with %s is looked up by the system, one name at a time, and keeps no other waiting",
	async (code) => {
		const receiver = await listenHttp(answer(200));
		const resolve = createResolver((host) =>
			host === "well.example" ? HERE : code,
		);
		const wire = openWire({ resolve, connectTimeoutMs: 60_000 });
		for (const host of ["a.example", "b.example", "c.example"])
			ask(resolve, host);
		const url = `http://well.example:${receiver.port}/`;
		expect((await attempt(wire, url)).delivered).toBe(true);
		expect(hosts()).toEqual(["a.example"]);
		const found = resolveWith(resolve, "b.example");
		await turn();
		begun[0]?.end(failWith("ENOTFOUND"));
		begun[1]?.end();
		expect(await found).toEqual(HERE);
		expect(hosts()).toEqual(["a.example", "b.example", "c.example"]);
	},
);

test("waiting for a lookup is told as DNS that does not answer in time", async () => {
	const resolve = createResolver(() => "ENOTFOUND");
	ask(resolve, "hangs.example");
	await turn();
	const wire = openWire({ resolve, connectTimeoutMs: 40 });
	expect(causeOf(await attempt(wire, "http://waits.example/"))).toEqual([
		"connect_timeout",
		"dns",
		"CONNECT_TIMEOUT",
	]);
	expect(hosts()).toEqual(["hangs.example"]);
});

test.each(["localhost", "api.localhost", "crm.internal.example"])(
	"%s is looked up at once, whatever hangs, and DNS is not asked",
	(host) => {
		const resolve = createResolver(() => "ENOTFOUND", ["crm.internal.example"]);
		ask(resolve, "hangs");
		ask(resolve, "too");
		ask(resolve, host);
		expect(hosts()).toEqual(["hangs", host]);
		expect(dnsAsked).toEqual([]);
	},
);

test.each(["crm", "printer.local"])(
	"%s is a matter of the system: DNS is not asked",
	async (host) => {
		const resolve = createResolver(() => HERE);
		const found = resolveWith(resolve, host);
		begun[0]?.end();
		expect(await found).toEqual(HERE);
		expect(dnsAsked).toEqual([]);
	},
);

test("a name that was looked up well does not wait behind those that hang, until it was slow or failed", () => {
	const resolve = createResolver(() => "ENOTFOUND");
	ask(resolve, "crm");
	begun[0]?.end();
	ask(resolve, "hangs");
	ask(resolve, "crm");
	expect(hosts()).toEqual(["crm", "hangs", "crm"]);
	nowMs += 2_001;
	begun[2]?.end();
	ask(resolve, "crm");
	expect(hosts()).toHaveLength(3);
	begun[1]?.end(failWith("EAI_AGAIN"));
	expect(hosts()).toEqual(["crm", "hangs", "crm", "crm"]);
});

test("it counts as known for five minutes", () => {
	const resolve = createResolver(() => "ENOTFOUND");
	ask(resolve, "crm");
	begun[0]?.end();
	ask(resolve, "hangs");
	nowMs += 5 * 60_000;
	ask(resolve, "crm");
	expect(hosts()).toEqual(["crm", "hangs"]);
});

test("names that failed before, or that DNS was silent about, come after all others", async () => {
	const resolve = createResolver((host) =>
		host.startsWith("silent") ? "ETIMEOUT" : "ENOTFOUND",
	);
	ask(resolve, "failed");
	begun[0]?.end(failWith("EAI_AGAIN"));
	ask(resolve, "hangs");
	ask(resolve, "silent.example");
	await turn();
	ask(resolve, "failed");
	ask(resolve, "fresh");
	for (let n = 1; n < 5; n++) begun[n]?.end(failWith("ENOTFOUND"));
	expect(hosts().slice(1)).toEqual([
		"hangs",
		"fresh",
		"silent.example",
		"failed",
	]);
});

test("one lookup answers all who ask for its name", async () => {
	const resolve = createResolver(() => "ENOTFOUND");
	const all = [1, 2, 3].map(() => resolveWith(resolve, "crm"));
	begun[0]?.end();
	expect(await Promise.all(all)).toEqual([HERE, HERE, HERE]);
	expect(hosts()).toEqual(["crm"]);
});

test("the names that wait are bounded", async () => {
	const resolve = createResolver(() => "ENOTFOUND");
	for (let n = 0; n < 1_024; n++) ask(resolve, `name${n}`);
	await expect(resolveWith(resolve, "more")).rejects.toMatchObject({
		code: "ETIMEDOUT",
	});
});

test("this machine is reached by its name, over the system's own resolver", async () => {
	const receiver = await listenHttp(answer(200));
	const url = `http://localhost:${receiver.port}/`;
	expect((await attempt(openWire(), url)).delivered).toBe(true);
	const refused = await attempt(openWire({ allowPrivate: false }), url);
	expect(refused.failure?.class).toBe("address_refused");
});
