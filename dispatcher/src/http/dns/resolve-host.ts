import { lookup } from "node:dns";
import type { Resolve, ResolvedAddress } from "../connection.ts";
import { askDns, isNegative } from "./ask-dns.ts";
import { createHostsFile } from "./hosts-file.ts";
import { createSystemLookups } from "./system-lookups.ts";

/** What host names are resolved with; parameters so that tests can make names hang. */
export interface HostResolverParts {
	/** DNS alone, without threads. */
	readonly askDns: (host: string) => Promise<readonly ResolvedAddress[]>;
	/** getaddrinfo, which knows the hosts file, search domains and mDNS too, but keeps a thread for as long as it takes. */
	readonly askSystem: Resolve;
	readonly isInHostsFile: (host: string) => boolean;
	readonly now: () => number;
}

const isLocalhost = (host: string) => /(^|\.)localhost\.?$/i.test(host);
/** Names that DNS itself is not asked for: of one label (search domains), and of mDNS. */
const isOfNeighbourhood = (host: string) =>
	!host.includes(".") || /\.local\.?$/i.test(host);

/** Resolves host names so that those that hang keep no others waiting (docs/decisions.md, Webhooks, Host names). */
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

/** The resolver of all wires and probes of a thread, because libuv's own threads are few. */
export const resolveHost: Resolve = createHostResolver({
	askDns,
	askSystem: (host, callback) =>
		// With an error there are no addresses, whatever its type says.
		lookup(host, { all: true }, (error, addresses) =>
			callback(error, addresses ?? []),
		),
	isInHostsFile: createHostsFile(),
	now: () => performance.now(),
});
