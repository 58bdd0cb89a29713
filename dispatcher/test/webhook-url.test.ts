import { describe, expect, it } from "vitest";
import { checkWebhookUrl, type NetworkPolicy } from "../src/index.ts";

const STRICT: NetworkPolicy = {
	allowHttp: false,
	allowPrivate: false,
	allowedNetworks: [],
};
const OPEN: NetworkPolicy = { ...STRICT, allowHttp: true, allowPrivate: true };

describe("checkWebhookUrl", () => {
	it.each([
		"https://hooks.partner.example/in?tenant=1",
		"https://hooks.partner.example:8443",
		"HTTPS://HOOKS.PARTNER.EXAMPLE/",
		"https://93.184.216.34/",
		"https://[2606:2800:220:1:248:1893:25c8:1946]/",
		"https://münchen.example/",
		"https://localhost.example/",
		"https://hooks.example./in/a..b?to=me@example.com",
		"https://internal-hooks.example/",
	])("accepts %s", (url) => {
		expect(checkWebhookUrl(url, STRICT)).toBeNull();
	});

	it("accepts a name with an umlaut each time, also once V8 has optimized the check", () => {
		const check = () => checkWebhookUrl("https://münchen.example/", STRICT);
		const problems = Array.from({ length: 20_000 }, check);
		expect(problems.filter((problem) => problem !== null)).toEqual([]);
	});

	it.each([
		["", "must be an absolute URL"],
		["hooks.partner.example", "must be an absolute URL"],
		["/hook", "must be an absolute URL"],
		["https://", "must be an absolute URL"],
		["http://hooks.partner.example/", "must be an https URL"],
		["ftp://hooks.partner.example/", "must be an https URL"],
		["javascript:alert(1)", "must be an https URL"],
		["https://user@hooks.example/", "must not hold a user name or password"],
		["https://user:pw@hooks.example/", "must not hold a user name or password"],
		["https://:pw@hooks.example/", "must not hold a user name or password"],
		["https://@hooks.example/", "must not hold a user name or password"],
		["https://:@hooks.example/", "must not hold a user name or password"],
		["https:hooks.example/", "must be an absolute URL"],
		["https:/hooks.example/", "must be an absolute URL"],
		["https:///hooks.example/", "must be an absolute URL"],
		["https://hooks.example:0/", "must not have port 0"],
		["https://./", "must not have an empty label in its host name"],
		["https://a..b/", "must not have an empty label in its host name"],
		["https://.a.example/", "must not have an empty label in its host name"],
		["https://a.example../", "must not have an empty label in its host name"],
		["https://hooks.example/#top", "must not have a fragment"],
		["https://hooks.example/#", "must not have a fragment"],
		["https://localhost/", "must not have a local host name"],
		["https://LOCALHOST./", "must not have a local host name"],
		["https://app.localhost/", "must not have a local host name"],
		["https://printer.local/", "must not have a local host name"],
		["https://metadata.google.internal/", "must not have a local host name"],
		["https://127.0.0.1/", "must not lead to a loopback address"],
		["https://127.1/", "must not lead to a loopback address"],
		["https://2130706433/", "must not lead to a loopback address"],
		["https://0x7f.0.0.1/", "must not lead to a loopback address"],
		["https://0177.0.0.1/", "must not lead to a loopback address"],
		["https://127.0.0.1./", "must not lead to a loopback address"],
		["https://[::1]/", "must not lead to a loopback address"],
		["https://10.0.0.1/", "must not lead to a private address"],
		["https://172.31.255.255/", "must not lead to a private address"],
		["https://192.168.1.1/", "must not lead to a private address"],
		["https://[fd00::1]/", "must not lead to a private address"],
		["https://169.254.169.254/", "must not lead to a link-local address"],
		["https://[fe80::1]/", "must not lead to a link-local address"],
		["https://100.64.0.1/", "must not lead to a carrier-grade NAT address"],
		["https://224.0.0.1/", "must not lead to a multicast address"],
		["https://[ff02::1]/", "must not lead to a multicast address"],
		["https://255.255.255.255/", "must not lead to a broadcast address"],
		["https://0.0.0.0/", "must not lead to an unspecified address"],
		["https://[::]/", "must not lead to an unspecified address"],
		["https://[::ffff:8.8.8.8]/", "must not lead to an IPv4-mapped address"],
		["https://[2002:808:808::1]/", "must not lead to a 6to4 address"],
		["https://[64:ff9b::808:808]/", "must not lead to a NAT64 address"],
		["https://[64:ff9b:1::808:808]/", "must not lead to a NAT64 address"],
		["https://[2001::1]/", "must not lead to a Teredo address"],
		["https://[::127.0.0.1]/", "must not lead to a reserved address"],
		["https://[2001:db8::1]/", "must not lead to a reserved address"],
		["https://192.0.2.1/", "must not lead to a reserved address"],
		["https://198.18.0.1/", "must not lead to a reserved address"],
		["https://240.0.0.1/", "must not lead to a reserved address"],
	])("refuses %s: %s", (url, sentence) => {
		expect(checkWebhookUrl(url, STRICT)).toBe(sentence);
	});

	it.each([
		" https://hooks.example/",
		"https://hooks.example/\n",
		"https://hooks.ex\tample/",
		"https://hooks.example/a b",
		"https://hooks.example/\u00A0",
		"https://hooks.example/\0",
		"https://hooks.example/\x7F",
		"https:\\\\hooks.example/",
		"https://hooks.example\\@evil.example/",
	])("refuses what parsers read differently: %j", (url) => {
		expect(checkWebhookUrl(url, STRICT)).toBe(
			"must not contain white space, control characters or backslashes",
		);
	});

	it.each([
		"http://localhost:3000/",
		"http://127.0.0.1:3000/",
		"http://[::1]:3000/",
		"http://[::ffff:127.0.0.1]:3000/",
		"http://192.168.1.1/",
		"https://printer.local/",
	])("accepts %s when http and private networks are allowed", (url) => {
		expect(checkWebhookUrl(url, OPEN)).toBeNull();
	});

	it.each([
		["http://user@localhost/", "must not hold a user name or password"],
		["http://224.0.0.1/", "must not lead to a multicast address"],
		["http://[::ffff:224.0.0.1]/", "must not lead to a multicast address"],
		["http://0.0.0.0/", "must not lead to an unspecified address"],
		["ws://localhost/", "must be an https or http URL"],
	])("refuses %s even then", (url, sentence) => {
		expect(checkWebhookUrl(url, OPEN)).toBe(sentence);
	});

	it("allows listed networks and nothing beside them", () => {
		const policy = { ...STRICT, allowedNetworks: ["10.1.0.0/16", "fd00::/8"] };
		expect(checkWebhookUrl("https://10.1.2.3/", policy)).toBeNull();
		expect(checkWebhookUrl("https://[::ffff:10.1.2.3]/", policy)).toBeNull();
		expect(checkWebhookUrl("https://[fd00::1]/", policy)).toBeNull();
		// Its addresses are checked when connecting.
		expect(checkWebhookUrl("https://crm.internal/", policy)).toBeNull();
		expect(checkWebhookUrl("https://10.2.0.1/", policy)).toBe(
			"must not lead to a private address",
		);
	});

	it("never repeats credentials", () => {
		const sentence = checkWebhookUrl("https://u:hunter2@a.example/", STRICT);
		expect(sentence).not.toContain("hunter2");
	});
});
