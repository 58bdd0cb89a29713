import type { Awaitable, PlatformCrypto } from "../verify/platform-crypto.ts";

/** Change it when the canonical form changes, so that old records of a shared store do not match by accident. */
const VERSION = "v1";

/** The fingerprint over company, event and canonical payload (docs/receiver.md#duplicates). */
export function toFingerprint(
	platform: PlatformCrypto,
	companyUuid: string,
	eventId: string,
	canonical: string,
): Awaitable<string> {
	const hash = platform.hash(
		`${VERSION}:${companyUuid.length}:${companyUuid}${eventId.length}:${eventId}${canonical}`,
	);
	return typeof hash === "string"
		? `${VERSION}:${hash}`
		: hash.then((text) => `${VERSION}:${text}`);
}
