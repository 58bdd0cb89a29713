import ipaddr from "ipaddr.js";

/** Where webhooks may be sent beyond the public internet over https (docs/decisions.md#urls). */
export interface NetworkPolicy {
	readonly allowHttp: boolean;
	readonly allowPrivate: boolean;
	/** CIDR blocks that are allowed although they are private or reserved. */
	readonly allowedNetworks: readonly string[];
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = [Address, number];

/** Says why an IP address may not be called. Null if it may. */
export type AddressCheck = (address: string) => string | null;

const NEVER = new Set(["unspecified", "multicast", "broadcast"]);
// IANA allocates global unicast only from this block. It excludes ::/96, which ipaddr.js calls unicast.
const GLOBAL_UNICAST: Network = [ipaddr.IPv6.parse("2000::"), 3];

const NAMES: Readonly<Record<string, string>> = {
	private: "a private address",
	uniqueLocal: "a private address",
	loopback: "a loopback address",
	linkLocal: "a link-local address",
	carrierGradeNat: "a carrier-grade NAT address",
	multicast: "a multicast address",
	broadcast: "a broadcast address",
	unspecified: "an unspecified address",
	ipv4Mapped: "an IPv4-mapped address",
	"6to4": "a 6to4 address",
	rfc6052: "a NAT64 address",
	rfc6145: "a NAT64 address",
	teredo: "a Teredo address",
};

function parseNetwork(cidr: string): Network {
	try {
		const [address = ""] = cidr.split("/");
		// "127/8" would be read as 0.0.0.127/8, and 010.0.0.0 as octal.
		if (!address.includes(":") && !ipaddr.IPv4.isValidFourPartDecimal(address))
			throw new TypeError("not an IPv4 address of four numbers");
		return ipaddr.parseCIDR(cidr);
	} catch {
		throw new TypeError(
			`not a CIDR block: ${JSON.stringify(cidr)} (example: 10.0.0.0/8)`,
		);
	}
}

const isWithin = (address: Address, [network, bits]: Network): boolean =>
	address.kind() === network.kind() && address.match(network, bits);

function rangeOf(address: Address): string {
	const range = address.range();
	if (range !== "unicast" || address.kind() === "ipv4") return range;
	return isWithin(address, GLOBAL_UNICAST) ? range : "reserved";
}

/** Compiles a policy into the check of an address. Throws for a malformed CIDR block. */
export function createAddressCheck(
	policy: Pick<NetworkPolicy, "allowPrivate" | "allowedNetworks">,
): AddressCheck {
	const allowed = policy.allowedNetworks.map(parseNetwork);
	return (text) => {
		if (!ipaddr.isValid(text)) return "not an IP address";
		const address = ipaddr.parse(text);
		const inner = ipaddr.process(text);
		if (allowed.some((net) => isWithin(address, net) || isWithin(inner, net)))
			return null;
		const range = rangeOf(policy.allowPrivate ? inner : address);
		const isRefused = policy.allowPrivate
			? NEVER.has(range)
			: range !== "unicast";
		return isRefused ? (NAMES[range] ?? "a reserved address") : null;
	};
}
