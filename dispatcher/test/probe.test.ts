import type { RequestListener } from "node:http";
import { afterEach, expect, test } from "vitest";
import {
	CERTIFICATE,
	CERTIFIED_HOST,
	EXPIRED_CERTIFICATE,
	KEY,
} from "#kit/endpoints/certificates.ts";
import { answer, listenHttp, listenHttps } from "#kit/endpoints/receivers.ts";
import { resolveHost } from "../src/http/dns/resolve-host.ts";
import {
	openProbe,
	type Probe,
	type ProbeCheck,
	type Resolve,
} from "../src/index.ts";

const NOW_MS = Date.UTC(2026, 10, 28);
const resolveTo =
	(...addresses: string[]): Resolve =>
	(_host, callback) =>
		callback(
			null,
			addresses.map((address) => ({ address, family: 4 })),
		);
/** As Node's own lookup: with an error there is no list, although the type says so. */
const resolveNothing: Resolve = (_host, callback) =>
	callback(
		Object.assign(new Error("no such name"), { code: "ENOTFOUND" }),
		undefined as never,
	);

let probe: Probe | undefined;
afterEach(() => probe?.close());

function look(url: string, options: Parameters<typeof openProbe>[0] = {}) {
	probe = openProbe({
		allowPrivate: true,
		ca: CERTIFICATE,
		clock: () => NOW_MS,
		resolve: resolveTo("127.0.0.1"),
		...options,
	});
	return probe.look(url);
}

const stepsOf = (checks: readonly ProbeCheck[]) =>
	checks.map(({ name, ok }) => `${name}${ok ? "" : " failed"}`).join(", ");
const good = { key: KEY, cert: CERTIFICATE };
const expired = { key: KEY, cert: EXPIRED_CERTIFICATE };

test("a receiver that answers passes every step; it is asked by HEAD, without a token or a body", async () => {
	const seen: unknown[] = [];
	const { port } = await listenHttps(good, (request, response) => {
		const { method, url, headers } = request;
		seen.push([method, url, headers.host, headers.authorization]);
		response.end();
	});
	const url = `https://${CERTIFIED_HOST}:${port}/hook?tenant=1`;
	const result = await look(url);
	expect(stepsOf(result.checks)).toBe(
		"url, dns, address, connect, tls, answer",
	);
	expect(result).toMatchObject({
		ok: true,
		status: 200,
		addresses: ["127.0.0.1"],
		certificate: {
			expires_at: "2120-01-01T00:00:00.000Z",
			issuer: CERTIFIED_HOST,
		},
	});
	expect(result.certificate?.days_left).toBe(34_001);
	expect(seen).toEqual([
		["HEAD", "/hook?tenant=1", `${CERTIFIED_HOST}:${port}`, undefined],
	]);
});

test.each([
	["http://crm.example/hook", /^the URL must be an https URL$/],
	["crm.example", /^the URL must be an absolute URL$/],
	["https://a:b@crm.example/", /^the URL must not hold a user name/],
	["https://crm.example/#x", /^the URL must not have a fragment$/],
])("%s fails by its form: nothing is looked up", async (url, message) => {
	const { checks } = await look(url, {
		resolve: () => {
			throw new Error("nothing is to be looked up");
		},
	});
	expect(stepsOf(checks)).toBe("url failed");
	expect(checks[0]?.message).toMatch(message);
	expect(checks[0]?.advice).not.toBeNull();
});

interface Case {
	readonly what: string;
	readonly server?: "good" | "expired" | "plain" | "none";
	readonly host?: string;
	readonly options?: Parameters<typeof openProbe>[0];
	readonly listener?: RequestListener;
	readonly steps: string;
	readonly message: RegExp;
}
const cases: Case[] = [
	{
		what: "a private address",
		host: "10.1.2.3",
		options: { allowPrivate: false },
		steps: "url, address failed",
		message: /^the URL must not lead to a private address$/,
	},
	{
		what: "a name that leads to a private address",
		options: { allowPrivate: false, resolve: resolveTo("10.1.2.3") },
		steps: "url, dns, address failed",
		message: /^the host resolves to a private address$/,
	},
	{
		what: "a name that the system's resolver refuses",
		host: Array(6).fill("x".repeat(60)).join("."),
		options: { resolve: resolveHost },
		steps: "url, dns failed",
		message: /^the host name could not be resolved/,
	},
	{
		what: "a name that does not resolve",
		options: { resolve: resolveNothing },
		steps: "url, dns failed",
		message: /^the host name could not be resolved \(ENOTFOUND\)$/,
	},
	{
		what: "a server that is not there",
		server: "none",
		steps: "url, dns, address, connect failed",
		message: /^the connection was refused/,
	},
	{
		what: "a certificate that has expired",
		server: "expired",
		options: { ca: EXPIRED_CERTIFICATE },
		steps: "url, dns, address, connect, tls failed",
		message: /^the certificate expired on 2021-01-01$/,
	},
	{
		what: "a certificate for another host",
		host: "other.example",
		steps: "url, dns, address, connect, tls failed",
		message: /^the certificate is for another host name$/,
	},
	{
		what: "a certificate that nobody vouches for",
		options: { ca: [] },
		steps: "url, dns, address, connect, tls failed",
		message: /^the certificate is self-signed$/,
	},
	{
		what: "a server without TLS",
		server: "plain",
		steps: "url, dns, address, connect, tls failed",
		message: /^the server does not speak TLS on this port$/,
	},
	...[301, 302, 307, 308].map((status) => ({
		what: `a redirect ${status}`,
		listener: answer(status, { location: "https://elsewhere.example/" }),
		steps: "url, dns, address, connect, tls, answer failed",
		message: new RegExp(`^the endpoint answered ${status}$`),
	})),
	...[410, 500, 503].map((status) => ({
		what: `the answer ${status}`,
		listener: answer(status),
		steps: "url, dns, address, connect, tls, answer failed",
		message: new RegExp(`^the endpoint answered ${status}$`),
	})),
	{
		what: "a server that hangs",
		listener: () => {},
		options: { answerTimeoutMs: 20 },
		steps: "url, dns, address, connect, tls, answer failed",
		message: /^no answer came in time/,
	},
	{
		what: "a server that switches protocols",
		listener: ({ socket }) => {
			socket.write(
				"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n",
			);
		},
		steps: "url, dns, address, connect, tls, answer failed",
		message: /^the answer was not valid HTTP\/1.1/,
	},
	{
		what: "a server that hangs up",
		listener: ({ socket }) => socket.destroy(),
		steps: "url, dns, address, connect, tls, answer failed",
		message: /^the connection was closed before the answer/,
	},
];

async function serve({ server = "good", listener = answer(200) }: Case) {
	if (server === "plain") return listenHttp(listener);
	if (server === "good" || server === "expired")
		return listenHttps(server === "good" ? good : expired, listener);
	// Nobody listens on the port of tcpmux.
	return { port: 1 };
}

test.each(cases)("$what is told: $message", async (one) => {
	const { port } = await serve(one);
	const url = `https://${one.host ?? CERTIFIED_HOST}:${port}/`;
	const { ok, checks } = await look(url, one.options);
	expect([ok, stepsOf(checks)]).toEqual([false, one.steps]);
	const failed = checks.at(-1);
	expect(failed?.message).toMatch(one.message);
	expect(failed?.advice).toMatch(/^[A-Z].*\.$/);
});

test.each([200, 204, 401, 403, 404, 405])(
	"the answer %i says that somebody is there",
	async (status) => {
		const { port } = await listenHttps(good, answer(status));
		const result = await look(`https://${CERTIFIED_HOST}:${port}/`);
		expect([result.ok, result.status]).toEqual([true, status]);
	},
);

test("an expired certificate is shown, with how long ago it ended; nothing is asked over such a connection", async () => {
	let asked = 0;
	const { port } = await listenHttps(expired, () => asked++);
	const url = `https://${CERTIFIED_HOST}:${port}/`;
	const { certificate, status } = await look(url, { ca: EXPIRED_CERTIFICATE });
	expect(certificate).toEqual({
		expires_at: "2021-01-01T00:00:00.000Z",
		issuer: CERTIFIED_HOST,
		days_left: -2157,
	});
	expect([status, asked]).toEqual([null, 0]);
});

test("a certificate that ends soon is well, and worth a word", async () => {
	const { port } = await listenHttps(good, answer(200));
	const { ok, checks } = await look(`https://${CERTIFIED_HOST}:${port}/`, {
		clock: () => Date.UTC(2119, 11, 27),
	});
	expect(ok).toBe(true);
	expect(checks.find(({ name }) => name === "tls")?.advice).toBe(
		"Renew the certificate: it expires in 5 days.",
	);
});

test("closing cuts a look that is under way", async () => {
	let reached = () => {};
	const isAsked = new Promise<void>((resolve) => {
		reached = resolve;
	});
	const { port } = await listenHttps(good, () => reached());
	const looking = look(`https://${CERTIFIED_HOST}:${port}/`);
	await isAsked;
	probe?.close();
	expect((await looking).ok).toBe(false);
});
