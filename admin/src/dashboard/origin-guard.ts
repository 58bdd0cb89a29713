import { isIP } from "node:net";
import { ApiError } from "@partnerwire/contract";
import { parseUrl } from "@partnerwire/wire";
import type { H3Event } from "h3";

export interface OriginGuardOptions {
	/** The service's public address, if browsers reach it by a name, such as behind a proxy with TLS. */
	readonly publicUrl?: string | undefined;
	/** The host that the service listens on, if it is a name. */
	readonly host?: string | undefined;
}

const refuse = (message: string) => new ApiError("forbidden", message);

const isLocalName = (name: string) => /(^|\.)localhost$/.test(name);

/**
 * Refuses requests that other sites make a browser send (docs/decisions.md#host-names): those to a host name that is not the
 * service's own (DNS rebinding), and those of a page of another origin. IP addresses are allowed as hosts, because DNS
 * cannot redirect them.
 */
export function createOriginGuard({ publicUrl, host }: OriginGuardOptions) {
	const own = publicUrl === undefined ? null : new URL(publicUrl);
	const names = new Set([own?.hostname, host?.toLowerCase()]);

	function toHost({ req }: H3Event): string {
		const shown = req.headers.get("host") ?? "";
		const { hostname, host: named } = parseUrl(`http://${shown}`) ?? {
			hostname: "",
			host: "",
		};
		const bare = hostname.replace(/^\[|\]$/g, "");
		const isOwn = isIP(bare) !== 0 || isLocalName(bare) || names.has(bare);
		if (bare !== "" && /^[\w.:[\]-]+$/.test(shown) && isOwn) return named;
		throw refuse(
			"this host name is not the service's own: start it with --public-url, such as https://partnerwire.example",
		);
	}

	/** Whether the page that sent a request has the origin of the request's target. */
	function isSameOrigin(origin: string, host: string): boolean {
		if (origin === own?.origin) return true;
		const page = parseUrl(origin);
		if (page === null) return false;
		// If the public address has TLS, a page without TLS is another origin.
		const isPlain = own?.protocol === "https:" && own.host === page.host;
		return page.host === host && !isPlain;
	}

	return {
		/** Refuses host names that are not the service's own. */
		checkHost: (event: H3Event): void => void toHost(event),
		/** Refuses pages of other sites too. */
		checkOrigin(event: H3Event): void {
			const host = toHost(event);
			const origin = event.req.headers.get("origin");
			const site = event.req.headers.get("sec-fetch-site");
			const isForeign =
				(origin !== null && !isSameOrigin(origin, host)) ||
				(site !== null && site !== "same-origin" && site !== "none");
			if (isForeign)
				throw refuse("only the dashboard's own pages may call this");
		},
		/** Whether browsers use TLS, so that cookies can be `Secure`. */
		isSecure: own?.protocol === "https:",
	};
}

export type OriginGuard = ReturnType<typeof createOriginGuard>;
