import { promises as dns } from "node:dns";
import { networkInterfaces } from "node:os";
import type { ResolvedAddress } from "../connection.ts";

/** Asks for the addresses of one family, as `Resolver.resolve4` and `resolve6` do. */
type Ask = (host: string) => Promise<readonly string[]>;

/** DNS has answered, and there is no such name or nobody may ask for it: it may be known elsewhere. */
const NEGATIVE = new Set([
	"ENOTFOUND",
	"ENODATA",
	"EREFUSED",
	"EBADNAME",
	// There is no DNS server at all.
	"ECONNREFUSED",
]);

/** Whether an error of `askDns` is DNS's own answer, and not its silence. */
export const isNegative = (error: unknown): boolean =>
	NEGATIVE.has(String((error as NodeJS.ErrnoException).code));

/** As getaddrinfo sorts them (RFC 6724): a host without a global IPv6 address of its own does not get far by IPv6. */
export function hasIpv6(readInterfaces = networkInterfaces): boolean {
	try {
		return Object.values(readInterfaces())
			.flat()
			.some((one) => one?.family === "IPv6" && /^[23]/.test(one.address));
	} catch {
		// A sandbox without netlink keeps a process from seeing its addresses.
		return false;
	}
}

/** The addresses of both families; an error only if there are none, and silence before a negative answer. */
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
 * Asks DNS itself, over sockets (c-ares), where any number of names may hang. Each question has a resolver of its own: that
 * reads resolv.conf anew, as getaddrinfo does, and learns no patience from the questions before.
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
