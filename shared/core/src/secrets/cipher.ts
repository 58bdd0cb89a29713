import {
	createCipheriv,
	createDecipheriv,
	createHash,
	randomBytes,
} from "node:crypto";
import { SecretKeyError } from "./secret-key-error.ts";

/** Encrypts values that must never be in the database in clear text (docs/decisions.md#encryption-key). */
export interface Cipher {
	/** Identifies the key without revealing anything about it. */
	readonly keyId: string;
	/** `purpose` ties the ciphertext to its place: it can be decrypted only for the same purpose. */
	encrypt(plain: string, purpose: string): string;
	/**
	 * Throws a `SecretKeyError` if the text was encrypted under another key, and another error if it has another purpose
	 * or was changed.
	 */
	decrypt(sealed: string, purpose: string): string;
}

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM under a 32-byte key; a ciphertext is `<key id>.<base64url of iv, tag and text>`. */
export function createCipher(key: Buffer): Cipher {
	if (key.length !== 32)
		throw new TypeError("the secret key must have 32 bytes");
	const keyId = createHash("sha256")
		.update("partnerwire key id")
		.update(key)
		.digest("hex")
		.slice(0, 12);
	return {
		keyId,
		encrypt(plain, purpose) {
			const iv = randomBytes(IV_BYTES);
			const cipher = createCipheriv("aes-256-gcm", key, iv).setAAD(
				Buffer.from(purpose),
			);
			const text = Buffer.concat([
				cipher.update(plain, "utf8"),
				cipher.final(),
			]);
			return `${keyId}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString("base64url")}`;
		},
		decrypt(sealed, purpose) {
			const [id, data = ""] = sealed.split(".");
			if (id !== keyId)
				throw new SecretKeyError(
					`A stored secret was encrypted under another secret key (id ${id}) than this process has (id ${keyId}).`,
					{ writtenUnder: id },
				);
			const bytes = Buffer.from(data, "base64url");
			const decipher = createDecipheriv(
				"aes-256-gcm",
				key,
				bytes.subarray(0, IV_BYTES),
			)
				.setAAD(Buffer.from(purpose))
				.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES));
			const text = decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES));
			return Buffer.concat([text, decipher.final()]).toString("utf8");
		},
	};
}
