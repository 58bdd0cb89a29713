import type { Awaitable, PlatformCrypto } from "../verify/platform-crypto.ts";

/** Changes whenever the canonical form does, so that old records of a shared store match nothing by accident. */
const VERSION = "v1";

/** The fingerprint of a delivery over company, event and the canonical payload (issue 3, Deduplication). */
export function toFingerprint(
	port: PlatformCrypto,
	companyUuid: string,
	eventId: string,
	canonical: string,
): Awaitable<string> {
	const hash = port.hash(
		`${VERSION}:${companyUuid.length}:${companyUuid}${eventId.length}:${eventId}${canonical}`,
	);
	return typeof hash === "string"
		? `${VERSION}:${hash}`
		: hash.then((text) => `${VERSION}:${text}`);
}
