import type { NetworkInterfaceInfo, networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import {
	askDns,
	hasIpv6,
	isNegative,
	mergeFamilies,
} from "../../src/http/dns/ask-dns.ts";

const fail = (code: string) => async () => {
	throw Object.assign(new Error(code), { code });
};
const A = async () => ["192.0.2.1", "192.0.2.2"];
const AAAA = async () => ["2001:db8::1"];
const A_FOUND = [
	{ address: "192.0.2.1", family: 4 },
	{ address: "192.0.2.2", family: 4 },
];
const AAAA_FOUND = [{ address: "2001:db8::1", family: 6 }];

test.each([
	["both, IPv4 first", A, AAAA, false, [...A_FOUND, ...AAAA_FOUND]],
	["both, IPv6 first", A, AAAA, true, [...AAAA_FOUND, ...A_FOUND]],
	["IPv4 alone", A, fail("ENODATA"), true, A_FOUND],
	["IPv6 alone", fail("ENOTFOUND"), AAAA, false, AAAA_FOUND],
	["IPv4, of IPv6 nothing is heard", A, fail("ETIMEOUT"), true, A_FOUND],
])("addresses of %s", async (_name, ask4, ask6, isIpv6First, found) => {
	expect(await mergeFamilies("x", ask4, ask6, () => isIpv6First)).toEqual(
		found,
	);
});

test.each([
	["ENOTFOUND", "ENOTFOUND", "ENOTFOUND"],
	["ENODATA", "ETIMEOUT", "ETIMEOUT"],
	["ESERVFAIL", "ENODATA", "ESERVFAIL"],
])("%s and %s are %s", async (of4, of6, code) => {
	const merging = mergeFamilies("x", fail(of4), fail(of6), () => false);
	await expect(merging).rejects.toMatchObject({ code });
});

const own = (family: "IPv4" | "IPv6", address: string) => () => ({
	eth0: [{ family, address } as NetworkInterfaceInfo],
});
test.each<[string, typeof networkInterfaces, boolean]>([
	["a global IPv6 address", own("IPv6", "2001:db8::7"), true],
	["a link's address alone", own("IPv6", "fe80::7"), false],
	["an address of a private network", own("IPv6", "fd00::7"), false],
	["IPv4 alone", own("IPv4", "203.0.113.7"), false],
	[
		"nothing, because a sandbox hides it",
		() => {
			throw new Error(
				"uv_interface_addresses returned Unknown system error 97",
			);
		},
		false,
	],
])("a host that sees %s", (_name, readInterfaces, has) => {
	expect(hasIpv6(readInterfaces)).toBe(has);
});

test("what cannot be asked for is a negative answer", async () => {
	const error = await askDns(`${"x".repeat(64)}.example`).catch(
		(reason: unknown) => reason,
	);
	expect(isNegative(error)).toBe(true);
});
