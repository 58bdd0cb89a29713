/* The address under which limits count a caller. */
import { getRequestIP, type H3Event } from "h3";
import ipaddr from "ipaddr.js";

/** `1.2.3.4:5678` and `[::1]:5678`, as some proxies write `X-Forwarded-For`. */
const PORT = /^(?:\[(.+)\](?::\d+)?|([\d.]+):\d+)$/;

/**
 * The caller's address without its port; of IPv6 the network of 64 bits, because a subscriber has all of its addresses
 * (docs/decisions.md#counted-address). All that is no address counts as one caller.
 */
export const countedAddress = (event: H3Event): string =>
	toCounted(getRequestIP(event) ?? "");

/** The address of an entry of `X-Forwarded-For`, without a port. */
export function withoutPort(shown: string): string {
	const [, v6, v4] = PORT.exec(shown) ?? [];
	return v6 ?? v4 ?? shown;
}

export function toCounted(shown: string): string {
	const text = withoutPort(shown);
	if (!ipaddr.isValid(text)) return "unknown";
	const address = ipaddr.process(text);
	if (!(address instanceof ipaddr.IPv6)) return address.toString();
	const network = address.parts.slice(0, 4).map((part) => part.toString(16));
	return `${network.join(":")}::/64`;
}
