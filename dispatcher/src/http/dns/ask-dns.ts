import { promises as dns } from "node:dns";
import { networkInterfaces } from "node:os";
import type { ResolvedAddress } from "../connections/connection.ts";

/** Asks for the addresses of one family, as `Resolver.resolve4` and `resolve6` do. */
type Ask = (host: string) => Promise<readonly string[]>;

/** DNS has answered that the name does not exist or may not be asked for. The system may still know it. */
const NEGATIVE = new Set([
	"ENOTFOUND",
	"ENODATA",
	"EREFUSED",
	"EBADNAME",
	// There is no DNS server at all.
	"ECONNREFUSED",
]);

/** Whether an error of `askDns` is an answer of DNS. Otherwise DNS did not answer. */
export const isNegative = (error: unknown): boolean =>
	NEGATIVE.has(String((error as NodeJS.ErrnoException).code));

/** Has this machine a global IPv6 address? Only then IPv6 comes first, as getaddrinfo sorts (RFC 6724). */
export function hasIpv6(readInterfaces = networkInterfaces): boolean {
	try {
		return Object.values(readInterfaces())
			.flat()
			.some((entry) => entry?.family === "IPv6" && /^[23]/.test(entry.address));
	} catch {
		// In a sandbox without netlink, a process cannot see its addresses.
		return false;
	}
}

/** Joins the addresses of both families. Without any it throws, and prefers the error of a missing answer to a negative answer. */
export async function mergeFamilies(
	host: string,
	ask4: Ask,
	ask6: Ask,
	isIpv6First: () => boolean,
): Promise<readonly ResolvedAddress[]> {
	const answers = await Promise.allSettled([ask4(host), ask6(host)]);
	const [of4 = [], of6 = []] = answers.map((answer, index) =>
		answer.status === "rejected"
			? []
			: answer.value.map((address) => ({ address, family: index ? 6 : 4 })),
	);
	if (of4.length > 0 && of6.length > 0)
		return isIpv6First() ? [...of6, ...of4] : [...of4, ...of6];
	if (of4.length + of6.length > 0) return [...of4, ...of6];
	const errors = answers.flatMap((answer) =>
		answer.status === "rejected" ? [answer.reason] : [],
	);
	throw errors.find((error) => !isNegative(error)) ?? errors[0];
}

/**
 * Asks DNS over sockets (c-ares), where any number of names may hang. Each question has a new resolver: it reads the current
 * resolv.conf, as getaddrinfo does, and its timeouts do not grow with earlier questions.
 */
export function askDns(host: string): Promise<readonly ResolvedAddress[]> {
	const resolver = new dns.Resolver({ timeout: 1_000, tries: 3 });
	return mergeFamilies(
		host,
		(name) => resolver.resolve4(name),
		(name) => resolver.resolve6(name),
		() => hasIpv6(),
	);
}
