import { lookup } from "node:dns";
import type { Resolve, ResolvedAddress } from "../connections/connection.ts";
import { askDns, isNegative } from "./ask-dns.ts";
import { createHostsFile } from "./hosts-file.ts";
import { createSystemLookups } from "./system-lookups.ts";

/** The lookups of a resolver. They are parameters so that tests can make names hang. */
export interface HostResolverParts {
	/** Asks only DNS. Needs no thread. */
	readonly askDns: (host: string) => Promise<readonly ResolvedAddress[]>;
	/** getaddrinfo. It also knows the hosts file, search domains and mDNS, but occupies a thread until it answers. */
	readonly askSystem: Resolve;
	readonly isInHostsFile: (host: string) => boolean;
	readonly now: () => number;
}

const isLocalhost = (host: string) => /(^|\.)localhost\.?$/i.test(host);
/** Names that DNS is not asked for: those of one label (search domains), and of mDNS. */
const isOfNeighbourhood = (host: string) =>
	!host.includes(".") || /\.local\.?$/i.test(host);

/** Resolves host names, so that a name that hangs delays no others (docs/decisions.md#host-names-rule). */
export function createHostResolver(parts: HostResolverParts): Resolve {
	const { isKnown, ask } = createSystemLookups(parts.askSystem, parts.now);
	return (host, callback) => {
		if (isLocalhost(host) || parts.isInHostsFile(host) || isKnown(host))
			return ask(host, "now", callback);
		if (isOfNeighbourhood(host)) return ask(host, "first", callback);
		parts.askDns(host).then(
			(addresses) => callback(null, addresses),
			(error: unknown) =>
				ask(host, isNegative(error) ? "first" : "last", callback),
		);
	};
}

/** The resolver of all wires and probes of a thread. It is shared because libuv has few threads. */
export const resolveHost: Resolve = createHostResolver({
	askDns,
	askSystem: (host, callback) =>
		// With an error there are no addresses, although the type says so.
		lookup(host, { all: true }, (error, addresses) =>
			callback(error, addresses ?? []),
		),
	isInHostsFile: createHostsFile(),
	now: () => performance.now(),
});
