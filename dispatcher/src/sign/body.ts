import { hash } from "node:crypto";
import type { PayloadKey } from "@partnerwire/wire";

/** Joins a webhook body as text. */
export const joinBody = (
	key: PayloadKey,
	entityJson: string,
	configurationJson: string,
): string => `{"${key}":${entityJson},"configuration":${configurationJson}}`;

/**
 * The bytes of a webhook body: the stored entity and the integration's configuration, concatenated. So every attempt sends the
 * same bytes (docs/decisions.md#members-of-the-payloads).
 *
 * @example
 * encodeBody("lead", '{"uuid":"…"}', "[]"); // {"lead":{"uuid":"…"},"configuration":[]}
 */
export function encodeBody(
	key: PayloadKey,
	entityJson: string,
	configurationJson: string,
): Uint8Array {
	return Buffer.from(joinBody(key, entityJson, configurationJson));
}

/** base64url SHA-256 of a body's bytes: the `payload_sha256` claim (docs/decisions.md#additive-claims). */
export function hashBody(body: Uint8Array): string {
	return hash("sha256", body, "base64url");
}
