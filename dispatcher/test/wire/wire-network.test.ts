import { once } from "node:events";
import type { TLSSocket } from "node:tls";
import { expect, it } from "vitest";
import {
	CERTIFICATE,
	CERTIFIED_HOST,
	EXPIRED_CERTIFICATE,
	KEY,
} from "#kit/endpoints/certificates.ts";
import {
	answer,
	listenHttp,
	listenHttps,
	listenRaw,
} from "#kit/endpoints/receivers.ts";
import type { Resolve, WireOptions } from "../../src/index.ts";
import { attempt, causeOf, openWire } from "../support/wires.ts";

const resolveTo =
	(...addresses: string[]): Resolve =>
	(_host, callback) =>
		callback(
			null,
			addresses.map((address) => ({
				address,
				family: address.includes(":") ? 6 : 4,
			})),
		);
const LOOPBACK = { allowPrivate: false, allowedNetworks: ["127.0.0.1/32"] };

it.each([
	["an address", "http://127.0.0.1:1/", "connect"],
	["an IPv6 address", "http://[::1]:1/", "connect"],
	["a mapped address", "http://[::ffff:127.0.0.1]:1/", "connect"],
	["a local name", "http://localhost:1/", "connect"],
])("refuses %s of this machine by default", async (_name, url, stage) => {
	const result = await attempt(openWire({ allowPrivate: false }), url);
	expect(causeOf(result)).toEqual(["address_refused", stage, null]);
});

it.each([
	["https://user:secret@receiver.example/", "user name or password"],
	["https://receiver.example/#x", "fragment"],
	["ftp://receiver.example/", "https or http URL"],
	["receiver.example", "absolute URL"],
])("refuses the URL %s", async (url, reason) => {
	const result = await attempt(openWire(), url);
	expect(causeOf(result)).toEqual(["url_refused", "request", null]);
	expect(result.failure?.message).toContain(reason);
	expect(result.failure?.message).not.toContain("secret");
});

it("refuses http by default", async () => {
	const wire = openWire({ allowHttp: false });
	const result = await attempt(wire, "http://receiver.example/");
	expect(result.failure?.message).toBe("the webhook URL must be an https URL");
});

it.each([
	"127.0.0.1",
	"169.254.169.254",
	"10.1.2.3",
	"::1",
	"::ffff:10.0.0.1",
	"64:ff9b::a00:1",
	"2002:7f00:1::",
])("refuses a name that resolves to %s", async (address) => {
	const result = await attempt(
		openWire({ allowPrivate: false, resolve: resolveTo(address) }),
		"http://receiver.example/",
	);
	expect(causeOf(result)).toEqual([
		"address_refused",
		"dns",
		"ADDRESS_REFUSED",
	]);
	// Whoever may set a URL could map the internal network by it.
	expect(result.address).toBeNull();
	expect(result.failure?.message).not.toContain(address);
});

it("checks DNS at every connection, so that an answer which flips is refused", async () => {
	const receiver = await listenHttp(answer(200, { connection: "close" }));
	const answers = ["127.0.0.1", "169.254.169.254"];
	const wire = openWire({
		...LOOPBACK,
		resolve: (host, callback) =>
			resolveTo(answers.shift() ?? "")(host, callback),
	});
	const url = `http://receiver.example:${receiver.port}/`;
	expect(await attempt(wire, url)).toMatchObject({
		delivered: true,
		address: "127.0.0.1",
	});
	expect((await attempt(wire, url)).failure?.class).toBe("address_refused");
});

it("connects to the allowed part of a mixed answer", async () => {
	const receiver = await listenHttp(answer(200));
	const wire = openWire({
		...LOOPBACK,
		resolve: resolveTo("64:ff9b::7f00:1", "127.0.0.1"),
	});
	const result = await attempt(wire, `http://a.example:${receiver.port}/`);
	expect(result).toMatchObject({ delivered: true, address: "127.0.0.1" });
	expect(result.timings.dnsMs).not.toBeNull();
});

it("falls back to the next address when one does not answer", async () => {
	const receiver = await listenHttp(answer(200));
	const wire = openWire({ resolve: resolveTo("::1", "127.0.0.1") });
	const result = await attempt(wire, `http://localhost:${receiver.port}/`);
	expect(result).toMatchObject({ delivered: true, address: "127.0.0.1" });
});

it("tells a name that does not resolve", async () => {
	const error = Object.assign(new Error("no"), { code: "ENOTFOUND" });
	const resolve: Resolve = (_host, callback) => callback(error, []);
	const result = await attempt(openWire({ resolve }), "http://no.example/");
	expect(causeOf(result)).toEqual(["dns_failed", "dns", "ENOTFOUND"]);
});

it("tells DNS that does not answer in time", async () => {
	const wire = openWire({ connectTimeoutMs: 40, resolve: () => {} });
	const result = await attempt(wire, "http://slow.example/");
	expect(causeOf(result)).toEqual([
		"connect_timeout",
		"dns",
		"CONNECT_TIMEOUT",
	]);
});

it("tells a TLS handshake that does not end in time", async () => {
	const { port } = await listenRaw(() => {});
	const wire = openWire({ connectTimeoutMs: 500 });
	const result = await attempt(wire, `https://127.0.0.1:${port}/`);
	expect(causeOf(result)).toEqual([
		"connect_timeout",
		"tls",
		"CONNECT_TIMEOUT",
	]);
});

const overTls = async (cert: string, host: string, options: WireOptions) => {
	const receiver = await listenHttps(
		{ key: KEY, cert },
		answer(200, { connection: "close" }),
	);
	const wire = openWire({ resolve: resolveTo("127.0.0.1"), ...options });
	const url = `https://${host}:${receiver.port}/`;
	return { first: await attempt(wire, url), second: await attempt(wire, url) };
};

it("tells TLS the host name without the dot that ends it", async () => {
	const names: unknown[] = [];
	const receiver = await listenHttps(
		{ cert: CERTIFICATE, key: KEY },
		(request, response) => {
			names.push((request.socket as TLSSocket).servername);
			answer(200)(request, response);
		},
	);
	const wire = openWire({
		resolve: resolveTo("127.0.0.1"),
		ca: CERTIFICATE,
	});
	for (const host of [CERTIFIED_HOST, `${CERTIFIED_HOST}.`]) {
		const url = `https://${host}:${receiver.port}/`;
		expect((await attempt(wire, url)).delivered).toBe(true);
	}
	expect(names).toEqual([CERTIFIED_HOST, CERTIFIED_HOST]);
});

it("refuses a certificate that nobody trusts", async () => {
	const { first } = await overTls(CERTIFICATE, CERTIFIED_HOST, {});
	expect(causeOf(first)).toEqual([
		"tls_failed",
		"tls",
		"DEPTH_ZERO_SELF_SIGNED_CERT",
	]);
});

it("accepts it with its authority given, and again over a resumed session", async () => {
	const { first, second } = await overTls(CERTIFICATE, CERTIFIED_HOST, {
		ca: CERTIFICATE,
	});
	expect(first.delivered && second.delivered).toBe(true);
	expect(first.timings.tlsMs).not.toBeNull();
});

it.each([
	[
		"for another host",
		CERTIFICATE,
		"other.example",
		"ERR_TLS_CERT_ALTNAME_INVALID",
	],
	["that has expired", EXPIRED_CERTIFICATE, CERTIFIED_HOST, "CERT_HAS_EXPIRED"],
])("refuses a certificate %s", async (_name, cert, host, code) => {
	const { first, second } = await overTls(cert, host, { ca: cert });
	expect(causeOf(first)).toEqual(["tls_failed", "tls", code]);
	expect(causeOf(second)).toEqual(["tls_failed", "tls", code]);
});

it("tells plain HTTP behind an https URL", async () => {
	const { port } = await listenHttp(answer(200));
	const result = await attempt(openWire(), `https://127.0.0.1:${port}/`);
	expect(result.failure).toMatchObject({ class: "tls_failed", stage: "tls" });
});

it("reuses connections, and opens no more than allowed", async () => {
	const receiver = await listenHttp(answer(200));
	const wire = openWire({ connections: 2 });
	const many = Array.from({ length: 20 }, () => attempt(wire, receiver.url));
	const results = await Promise.all(many);
	expect(results.every(({ delivered }) => delivered)).toBe(true);
	const fresh = results.filter(({ timings }) => timings.connectMs !== null);
	expect(fresh).toHaveLength(2);
	expect(receiver.sockets).toHaveLength(2);
});

it("closes the idle connections of the origin used longest ago", async () => {
	const [one, two] = [
		await listenHttp(answer(200)),
		await listenHttp(answer(200)),
	];
	const wire = openWire({ maxOrigins: 1 });
	await attempt(wire, one.url);
	const [socket] = one.sockets;
	const closed = socket && once(socket, "close");
	await attempt(wire, two.url);
	await closed;
	expect((await attempt(wire, one.url)).delivered).toBe(true);
	expect(one.sockets).toHaveLength(2);
});
